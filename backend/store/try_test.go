package store

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"assay/backend/fault"
	"assay/backend/frameql"
)

func TestTry(t *testing.T) {
	if os.Getenv("TRY") == "" {
		t.Skip("by hand")
	}
	ctx := context.Background()
	s, err := Open(ctx, Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	defer s.Close()
	for _, a := range flagArgs() {
		start := time.Now()
		src, err := s.Import(ctx, ImportRequest{Path: a})
		fmt.Println(a, time.Since(start), fault.Detail(err))
		if err != nil {
			continue
		}
		for _, tb := range src.Tables {
			fmt.Println(" ", tb.Name, tb.Alias, tb.Rows, tb.Rejected, tb.RejectTable, tb.Key, tb.ForeignKeys)
			for _, c := range tb.Columns {
				fmt.Println("      ", c.Name, c.Alias, c.Type, c.EngineType)
			}
			f, err := s.Query(ctx, frameql.Statement{SQL: "SELECT * FROM " + ident(tb.Name) + " LIMIT 2"})
			if err != nil {
				t.Fatal(err)
			}
			fmt.Println(f.Rows, f.SourceEpochs)
		}
		for _, n := range src.Notes {
			fmt.Println("  note:", n)
		}
	}
}

func flagArgs() []string {
	var out []string
	for _, a := range os.Args {
		if len(a) > 0 && a[0] == '/' && a != os.Args[0] {
			out = append(out, a)
		}
	}
	return out
}
