package interpret

import (
	"testing"
	"time"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// press has papers that writers write and magazines print. A paper has topics of its own, and so has a magazine; downloads are counted by day.
func press() (*semantic.Model, []ValueSet) {
	return semantic.Infer(semantic.Facts{Tables: []semantic.TableFacts{
			bare("topic", 12, "topic_id integer", "name text"),
			bare("magazine", 9, "magazine_id integer", "name text", "topic_id -> topic"),
			bare("paper", 80, "paper_id integer", "title text", "magazine_id -> magazine", "pages integer"),
			bare("club", 6, "club_id integer", "name text", "region text"),
			bare("writer", 40, "writer_id integer", "name text", "club_id -> club"),
			bare("writes", 120, "writes_id integer", "writer_id -> writer", "paper_id -> paper"),
			bare("paper_topic", 130, "paper_topic_id integer", "paper_id -> paper", "topic_id -> topic"),
			bare("writer_topic", 70, "writer_topic_id integer", "writer_id -> writer", "topic_id -> topic"),
			bare("download", 900, "download_id integer", "paper_id -> paper", "weekday text", "count integer"),
		}}, semantic.Settings{}), []ValueSet{
			valuesOf("topic", "name", "Tea", "Silk", "Salt"), valuesOf("writer", "name", "Ann Lowe", "Piet Hay"), valuesOf("club", "region", "North", "South"),
		}
}

func TestConditionsAreOnWhatIsNamedBeforeThem(t *testing.T) {
	asks(t, "press", []struct{ question, query string }{
		{"papers on the topic Tea", "SELECT paper.title AT paper WHERE ANY paper_topic (topic.name = 'Tea')"},
		{"writers who have written papers on the topic Tea", "SELECT writer.name AT writer WHERE ANY writes (ANY paper_topic (topic.name = 'Tea'))"},
		{"how many writers have papers in the topic Silk", "SELECT writer_count WHERE ANY writes (ANY paper_topic (topic.name = 'Silk'))"},
		{"writers with papers in both the topic Tea and the topic Salt", "SELECT writer.name AT writer WHERE ANY writes (ANY paper_topic (topic.name = 'Tea')) AND ANY writes (ANY paper_topic (topic.name = 'Salt'))"},
		{"writers who have not written papers on the topic Tea", "SELECT writer.name AT writer WHERE NO writes (ANY paper_topic (topic.name = 'Tea'))"},
		{"which clubs have writers who have written papers on the topic Salt", "SELECT club.name AT club WHERE ANY writes (ANY paper_topic (topic.name = 'Salt'))"},
		{"how many papers were written by writers in the topic Tea", "SELECT paper_count WHERE ANY writes (ANY writer_topic (topic.name = 'Tea'))"},
		{"writers in the topic Tea", "SELECT writer.name AT writer WHERE ANY writer_topic (topic.name = 'Tea')"},
		{"magazines in the topic Tea", "SELECT magazine.name AT magazine WHERE topic.name = 'Tea'"},
		{"which writer wrote the most papers, and how many papers did they write", "SELECT writer.name, COUNT(DISTINCT paper.paper_id) AT writer FROM writes TOP 1 writer BY COUNT(DISTINCT paper.paper_id)"},
		{"number of papers in each topic", "SELECT topic.name, COUNT(DISTINCT paper.paper_id) AT topic FROM paper_topic"},
	})
}

func TestRowsThatSayHowManyTheyStandFor(t *testing.T) {
	asks(t, "press", []struct{ question, query string }{
		{"how many downloads are there", "SELECT count"},
		{"total number of downloads by weekday", "SELECT download.weekday, count"},
		{"average number of downloads per paper", "SELECT AVG(count AT paper)"},
		{"which paper has the most downloads", "SELECT paper.title, count AT paper TOP 1 paper BY count"},
		{"papers without downloads", "SELECT paper.title AT paper WHERE NO download"},
	})
}

func TestTheFormOfAnAnswerIsNoPartOfTheQuestion(t *testing.T) {
	asks(t, "press", []struct{ question, query string }{
		{"average pages of papers, rounded to 2 decimal places", "SELECT average_pages"},
		{"what is the average number of pages of papers? Give the answer as an integer.", "SELECT AVG(pages)"},
		{"the longest papers in miles", ""},
	})
}

func TestTotalsOfWhatIsANumberAndASum(t *testing.T) {
	m, values := semantic.Infer(semantic.Facts{Tables: []semantic.TableFacts{
		bare("shop", 9, "shop_id integer", "name text"),
		bare("sale", 900, "sale_id integer", "shop_id -> shop", "sale_price decimal", "sold_on date"),
	}}, semantic.Settings{}), []ValueSet{}
	reads(t, NewIndex(m, values), frameql.Env{Model: m, Now: time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)}, []struct{ question, query string }{
		{"total sales by shop", ""},
		{"total number of sales by shop", "SELECT shop.name, sale_count AT shop"},
		{"total sale price by shop", "SELECT shop.name, sale_price AT shop"},
	})
}
