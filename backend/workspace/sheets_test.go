package workspace

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"io"
	"strings"
	"testing"
)

// sheets gives the rows of every sheet of a workbook as texts, by the name of the sheet. It reads what the file itself says, and no more.
func sheets(t *testing.T, file []byte) map[string][][]string {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	read := func(name string, into any) {
		f, err := z.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		raw, err := io.ReadAll(f)
		if err != nil {
			t.Fatal(err)
		}
		if err := xml.Unmarshal(raw, into); err != nil {
			t.Fatal(name, err)
		}
	}
	var shared struct {
		Strings []struct {
			Text string `xml:"t"`
		} `xml:"si"`
	}
	read("xl/sharedStrings.xml", &shared)
	var book struct {
		Sheets []struct {
			Name string `xml:"name,attr"`
			ID   string `xml:"http://schemas.openxmlformats.org/officeDocument/2006/relationships id,attr"`
		} `xml:"sheets>sheet"`
	}
	read("xl/workbook.xml", &book)
	var links struct {
		All []struct {
			ID     string `xml:"Id,attr"`
			Target string `xml:"Target,attr"`
		} `xml:"Relationship"`
	}
	read("xl/_rels/workbook.xml.rels", &links)
	all := map[string][][]string{}
	for _, s := range book.Sheets {
		path := ""
		for _, l := range links.All {
			if l.ID == s.ID {
				path = "xl/" + strings.TrimPrefix(l.Target, "/xl/")
			}
		}
		var sheet struct {
			Rows []struct {
				Cells []struct {
					Type   string `xml:"t,attr"`
					Value  string `xml:"v"`
					Inline string `xml:"is>t"`
				} `xml:"c"`
			} `xml:"sheetData>row"`
		}
		read(path, &sheet)
		rows := [][]string{}
		for _, r := range sheet.Rows {
			var row []string
			for _, c := range r.Cells {
				value := c.Value + c.Inline
				if c.Type == "s" {
					at := 0
					for _, d := range c.Value {
						at = at*10 + int(d-'0')
					}
					value = shared.Strings[at].Text
				}
				row = append(row, value)
			}
			rows = append(rows, row)
		}
		all[s.Name] = rows
	}
	return all
}
