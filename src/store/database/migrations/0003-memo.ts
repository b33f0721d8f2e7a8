// What who wrote a document knew of it, for who reads it next: at 10,000 units nobody counts them again
// (docs/adr/0010). Null, as of all that was written before this: it is worked out.
export default /* sql */ `
alter table document add column memo text;
`;
