package interpret

import (
	"reflect"
	"testing"
)

// Marks cover whole words, count as a browser does, and never lie on one another.
func TestMarks(t *testing.T) {
	for _, c := range []struct {
		name, question, read string
		of                   Result
		want                 []Mark
	}{
		{
			"what is not read is marked where it is a word, not inside of one", "art in marketing, Art", "",
			Result{Unread: []string{"art"}},
			[]Mark{{0, 3, "art", MarkUnread, "", false}, {18, 21, "Art", MarkUnread, "", false}},
		},
		{
			"offsets are UTF-16 units", "🙂 x größe", "",
			Result{Unread: []string{"größe"}},
			[]Mark{{5, 10, "größe", MarkUnread, "", false}},
		},
		{
			"of two on one place the first stays", "net sales", "",
			Result{Spans: []Span{{Start: 0, End: 9, Slot: "metric", Method: MethodExact}, {Start: 4, End: 9, Slot: "dimension"}}},
			[]Mark{{0, 9, "net sales", MarkMetric, "", true}},
		},
		{
			"words that say how to answer are a manner", "sales as a pie", "sales         ",
			Result{},
			[]Mark{{6, 14, "as a pie", MarkManner, "", true}},
		},
	} {
		got := c.of.Marks(c.question, c.read)
		for i := range got {
			got[i].Meaning = ""
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s:\n got %+v\nwant %+v", c.name, got, c.want)
		}
	}
}
