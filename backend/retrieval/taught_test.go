package retrieval

import (
	"fmt"
	"testing"
)

// taughtAndAsked are corrections, over schemas of a shop and of a hospital, each with other words for the same.
var taughtAndAsked = [][2]string{
	{"sales means net revenue", "what do we call sales"},
	{"big customers means customers with revenue above 10000", "who counts as a big client"},
	{"active customers means customers with an order in the last 90 days", "when is a customer active"},
	{"discontinued means products excluding discontinued ones", "are discontinued products left out"},
	{"shipping cost means freight", "how much is the cost of shipping"},
	{"domestic means country USA", "which orders are domestic"},
	{"the north means region Northern", "where is north"},
	{"margin means net revenue less cost", "how is the margin computed"},
	{"late orders means orders shipped after the required date", "what is an order that was late"},
	{"fiscal year means year starting in July", "when does our fiscal year begin"},
	{"reps means employees in sales", "who are the reps"},
	{"basket size means units per order", "average size of a basket"},
	{"repeat buyers means customers with more than one order", "buyers who repeat"},
	{"beverages means category Beverages", "what belongs to beverages"},
	{"test accounts means customers whose name starts with Test", "do we exclude accounts for tests"},
	{"returns means orders with a refund", "count of returned orders"},
	{"average price means revenue per unit", "price on average"},
	{"holiday season means November and December", "which months are the season of holidays"},
	{"our carrier means shipper Speedy Express", "which carrier is ours"},
	{"vip means customers of segment gold", "list of VIPs"},
	{"admissions means inpatient encounters", "number of patients admitted"},
	{"readmission means an encounter within 30 days of discharge", "readmissions after discharge"},
	{"length of stay means days between admission and discharge", "how long patients stay"},
	{"no shows means appointments with status missed", "appointments that were missed"},
	{"occupancy means occupied beds per staffed bed", "share of beds that are occupied"},
	{"night shift means shifts starting after 22:00", "who works in the night shifts"},
	{"elective means procedures of class planned", "elective procedures"},
	{"the east wing means wards E1 and E2", "wards of the east wing"},
	{"minors means patients younger than 18", "patients who are minors"},
	{"billing delay means days from discharge to invoice", "delay in billing"},
	{"wait time means minutes from arrival to triage", "how many minutes is the wait"},
	{"self payers means patients without insurance", "uninsured patients"},
	{"bed days means sum of days in a bed", "days of beds in total"},
	{"chronic means diagnosis group chronic", "chronic diagnoses"},
	{"transfers means encounters with an origin ward", "encounters that were transferred"},
	{"seniors means patients aged 65 and older", "older patients of 65"},
}

// TestWhatWasTaughtIsFoundInOtherWords measures recall with the built-in embedder: of 36 corrections asked for in other words, how often the right one is the first, and among the first three.
func TestWhatWasTaughtIsFoundInOtherWords(t *testing.T) {
	var records []Record
	for i, one := range taughtAndAsked {
		records = append(records, Record{Kind: Correction, ID: fmt.Sprintf("%02d", i), Owner: "ada", Question: one[0]})
	}
	s, _, err := Open(t.Context(), Options{Embedder: BuiltIn(), Records: records})
	if err != nil {
		t.Fatal(err)
	}
	firsts, threes := 0, 0
	for i, one := range taughtAndAsked {
		found, err := s.Nearest(t.Context(), Query{Kind: Correction, Viewer: "ada", Question: one[1]}, 3)
		if err != nil {
			t.Fatal(err)
		}
		for at, m := range found {
			if m.ID == records[i].ID && m.Similarity >= 0.2 {
				threes++
				if at == 0 {
					firsts++
				}
			}
		}
		if len(found) == 0 || found[0].ID != records[i].ID {
			t.Logf("%q finds %+v", one[1], found)
		}
	}
	t.Logf("of %d: first %d, among three %d", len(taughtAndAsked), firsts, threes)
	if firsts < 31 || threes < 33 {
		t.Errorf("of %d the first is right %d times, among three %d", len(taughtAndAsked), firsts, threes)
	}
}
