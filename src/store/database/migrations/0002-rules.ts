// A document that we have found valid and printed is not looked at again from end to end by the next
// call: at 10,000 units that took longer than all the rest (docs/adr/0010). Of what was written before
// this nobody knows by which rules.
export default /* sql */ `
alter table document add column rules text;
`;
