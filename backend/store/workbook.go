package store

import (
	"archive/zip"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"

	"assay/backend/fault"
	"assay/backend/text"
)

// workbook is an xlsx file that is being read as a stream: what stands in memory is the shared text, not the cells.
//
// The package of choice for xlsx gives either formatted text, which loses decimals and the year of a date, or raw
// numbers without the style that tells a date from a number; the style is only to be had with the whole sheet in
// memory. A cell's raw value and style stand side by side in the file, so the sheets are read here.
type workbook struct {
	zip    *zip.ReadCloser
	sheets []sheetRef
	shared []string
	styles []timeStyle // by cell style
	epoch4 bool        // days count from 1904
}

type sheetRef struct{ name, part string }

// timeStyle says whether numbers of a cell style are dates, times or numbers.
type timeStyle byte

const (
	plainStyle timeStyle = iota
	dateStyle            // a day, with or without a time
	clockStyle           // a time of day alone
)

// sharedLimit bounds the shared text of a workbook, in bytes.
const sharedLimit = 1 << 30

func openWorkbook(in input) (*workbook, error) {
	z, err := zip.OpenReader(in.path)
	if err != nil {
		return nil, damaged("open workbook", in, err)
	}
	w := &workbook{zip: z}
	if err := w.read(in); err != nil {
		_ = z.Close()
		var f *fault.Error
		if errors.As(err, &f) {
			return nil, err
		}
		return nil, damaged("open workbook", in, err)
	}
	return w, nil
}

func (w *workbook) read(in input) error {
	var book struct {
		Properties struct {
			Date1904 string `xml:"date1904,attr"`
		} `xml:"workbookPr"`
		Sheets []struct {
			Name string `xml:"name,attr"`
			ID   string `xml:"id,attr"`
		} `xml:"sheets>sheet"`
	}
	var relations struct {
		All []struct {
			ID     string `xml:"Id,attr"`
			Target string `xml:"Target,attr"`
			Type   string `xml:"Type,attr"`
		} `xml:"Relationship"`
	}
	if err := w.decode("xl/workbook.xml", &book); err != nil {
		return err
	}
	if err := w.decode("xl/_rels/workbook.xml.rels", &relations); err != nil {
		return err
	}
	w.epoch4 = book.Properties.Date1904 == "1" || book.Properties.Date1904 == "true"
	parts := map[string]string{}
	for _, r := range relations.All {
		target := r.Target
		if strings.HasPrefix(target, "/") {
			target = strings.TrimPrefix(target, "/")
		} else {
			target = path.Join("xl", target)
		}
		switch {
		case strings.HasSuffix(r.Type, "/worksheet"):
			parts[r.ID] = target
		case strings.HasSuffix(r.Type, "/sharedStrings"):
			if err := w.readShared(in, target); err != nil {
				return err
			}
		case strings.HasSuffix(r.Type, "/styles"):
			if err := w.readStyles(target); err != nil {
				return err
			}
		}
	}
	for _, s := range book.Sheets {
		if part, ok := parts[s.ID]; ok { // a sheet of charts has no cells
			w.sheets = append(w.sheets, sheetRef{s.Name, part})
		}
	}
	return nil
}

func (w *workbook) open(part string) (io.ReadCloser, error) {
	for _, f := range w.zip.File {
		if strings.EqualFold(f.Name, part) {
			return f.Open()
		}
	}
	return nil, fmt.Errorf("part %s is missing", part)
}

func (w *workbook) decode(part string, into any) error {
	r, err := w.open(part)
	if err != nil {
		return err
	}
	defer r.Close()
	return xml.NewDecoder(r).Decode(into)
}

// readShared reads the table of texts that cells refer to by number.
func (w *workbook) readShared(in input, part string) error {
	r, err := w.open(part)
	if err != nil {
		return err
	}
	defer r.Close()
	d := xml.NewDecoder(r)
	size := 0
	for {
		t, err := d.RawToken()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if start, ok := t.(xml.StartElement); ok && start.Name.Local == "si" {
			s, err := richText(d, "si")
			if err != nil {
				return err
			}
			if size += len(s); size > sharedLimit {
				return fault.New(fault.Limit, "open workbook", text.Say("store.too_wide", "file", in.file), text.Say("store.too_wide_hint"))
			}
			w.shared = append(w.shared, s)
		}
	}
}

// richText collects the text of all runs up to the end of an element. Phonetic readings are no part of it.
func richText(d *xml.Decoder, end string) (string, error) {
	var b strings.Builder
	inText, phonetic := false, 0
	for {
		t, err := d.RawToken()
		if err != nil {
			return "", unexpected(err)
		}
		switch t := t.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "t":
				inText = true
			case "rPh":
				phonetic++
			}
		case xml.EndElement:
			switch t.Name.Local {
			case "t":
				inText = false
			case "rPh":
				phonetic--
			case end:
				return unescape(b.String()), nil
			}
		case xml.CharData:
			if inText && phonetic == 0 {
				b.Write(t)
			}
		}
	}
}

// unescape reads _x000D_ as the character that it stands for.
func unescape(s string) string {
	for from := 0; ; {
		i := strings.Index(s[from:], "_x")
		if i < 0 {
			return s
		}
		i += from
		if len(s) >= i+7 && s[i+6] == '_' {
			if n, err := strconv.ParseUint(s[i+2:i+6], 16, 16); err == nil {
				s = s[:i] + string(rune(n)) + s[i+7:]
			}
		}
		from = i + 1
	}
}

// unexpected says that an element is cut off.
func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

func (w *workbook) readStyles(part string) error {
	var sheet struct {
		Formats []struct {
			ID   int    `xml:"numFmtId,attr"`
			Code string `xml:"formatCode,attr"`
		} `xml:"numFmts>numFmt"`
		Cells []struct {
			Format int `xml:"numFmtId,attr"`
		} `xml:"cellXfs>xf"`
	}
	if err := w.decode(part, &sheet); err != nil {
		return err
	}
	codes := map[int]string{}
	for _, f := range sheet.Formats {
		codes[f.ID] = f.Code
	}
	for _, c := range sheet.Cells {
		w.styles = append(w.styles, styleOf(c.Format, codes[c.Format]))
	}
	return nil
}

// styleOf reads a number format: the built-in ones by their number, others by the letters of their first section.
func styleOf(id int, code string) timeStyle {
	if code == "" {
		switch {
		case id >= 14 && id <= 17, id == 22, id >= 27 && id <= 31, id == 36, id >= 50 && id <= 58:
			return dateStyle
		case id >= 18 && id <= 21, id >= 32 && id <= 35, id >= 45 && id <= 47:
			return clockStyle
		}
		return plainStyle
	}
	code, _, _ = strings.Cut(strings.ToLower(code), ";")
	day, clock := false, false
	for i := 0; i < len(code); i++ {
		switch code[i] {
		case '"':
			if n := strings.IndexByte(code[i+1:], '"'); n >= 0 {
				i += n + 1
			}
		case '[': // [red], [$-409]; [h] counts hours and is a number of them
			n := strings.IndexByte(code[i:], ']')
			if n < 0 {
				return plainStyle
			}
			if s := code[i+1 : i+n]; strings.Trim(s, "hms") == "" {
				return plainStyle
			}
			i += n
		case '\\', '_', '*':
			i++
		case 'y', 'd':
			day = true
		case 'h', 's':
			clock = true
		case 'g':
			if strings.HasPrefix(code[i:], "general") {
				i += len("general") - 1
			}
		case 'm':
			// month or minute: the letters around it tell
		case '0', '#', '?':
			if !clock {
				return plainStyle
			}
		}
	}
	switch {
	case day:
		return dateStyle
	case clock:
		return clockStyle
	case strings.Contains(code, "mmm"):
		return dateStyle
	default:
		return plainStyle
	}
}
