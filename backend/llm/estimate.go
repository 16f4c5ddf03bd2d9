package llm

// Estimate says about how many tokens a request is before anybody has counted them: a quarter of its bytes, and a few for each part of it.
// English text has four bytes a token, JSON and figures three: it is low rather than high by up to a third.
func Estimate(r Request) int {
	n := EstimateText(string(r.Schema))
	for _, b := range r.System {
		n += EstimateText(b.Text)
	}
	for _, t := range r.Tools {
		n += perPart + EstimateText(t.Name) + EstimateText(t.Description) + EstimateText(string(t.Schema))
	}
	for _, m := range r.Messages {
		n += perPart + EstimateText(m.Text)
		for _, c := range m.Calls {
			n += perPart + EstimateText(c.Name) + EstimateText(string(c.Arguments))
		}
		for _, res := range m.Results {
			n += perPart + EstimateText(res.Content)
		}
	}
	return n
}

// EstimateText does so for a text: a quarter of its bytes, rounded up.
func EstimateText(s string) int { return (len(s) + 3) / 4 }

// perPart is what a protocol adds around a message, a tool or a call.
const perPart = 4
