// A document is read and checked whole, whoever printed it.
export default /* sql */ `
alter table document drop column rules;
alter table document drop column memo;
`;
