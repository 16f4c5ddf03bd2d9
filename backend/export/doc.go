// Package export writes whole results as files that other programs read, with what is needed to trace every number beside them.
//
//	windows of Arrow records ──▶ Write ──┬▶ csv      header and rows
//	columns: name, type, unit           ├▶ xlsx     sheet Data, sheet Provenance
//	provenance: name, value             ├▶ parquet  with the provenance in the file's metadata
//	                                    └▶ json     columns, rows, provenance
//
// Numbers keep their digits: what a format cannot hold exactly is written as text. Text that a spreadsheet would run is shown as
// it is (frameql.SpreadsheetText).
package export
