// Package text is the catalogue of every string that a person reads: messages of the core, the command line and the
// page. A second language is a second file beside en.json.
//
// A key names its place ("store.file_empty"); a placeholder stands in braces ("{file} is empty."). The page imports
// the same file at build time. A test fails for a key that the code uses and the catalogue lacks, and for one that
// nobody uses.
package text

import (
	"embed"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"
)

//go:embed *.json
var files embed.FS

// catalogue is read once; it never changes afterwards.
var catalogue = sync.OnceValue(func() map[string]string {
	lang := os.Getenv("ASSAY_LANG")
	if lang == "" {
		lang = "en"
	}
	all := load("en")
	if lang != "en" {
		for k, v := range load(lang) {
			all[k] = v
		}
	}
	return all
})

// load reads a language; an unknown one is empty, so that English shows.
func load(lang string) map[string]string {
	all := map[string]string{}
	raw, err := files.ReadFile(lang + ".json")
	if err != nil {
		return all
	}
	if err := json.Unmarshal(raw, &all); err != nil {
		panic(fmt.Sprintf("catalogue %s: %v", lang, err)) // a file of ours, read by a test
	}
	return all
}

// Say gives the text of a key with its placeholders filled: Say("store.file_empty", "file", name). Arguments come in
// pairs of name and value. An unknown key gives the key itself in brackets, which the catalogue test turns into a failure.
func Say(key string, pairs ...any) string {
	s, ok := catalogue()[key]
	if !ok {
		return "[" + key + "]"
	}
	return fill(s, pairs)
}

// Count gives the form of a key that fits a number. The text holds "one|other"; the number itself is a pair like any
// other, written as the caller writes numbers.
func Count(key string, n int64, pairs ...any) string {
	one, other, both := strings.Cut(Say(key), "|")
	if both && n != 1 {
		one = other
	}
	return fill(one, pairs)
}

func fill(s string, pairs []any) string {
	for i := 0; i+1 < len(pairs); i += 2 {
		s = strings.ReplaceAll(s, "{"+fmt.Sprint(pairs[i])+"}", fmt.Sprint(pairs[i+1]))
	}
	return s
}
