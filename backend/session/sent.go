package session

// Sent is one exchange with a language model, as the ledger of an answer has it: what went where, and what came back.
type Sent struct {
	To         string     `json:"to" maxLength:"300" doc:"Host and port"`
	Provider   string     `json:"provider" maxLength:"40"`
	Model      string     `json:"model" maxLength:"200"`
	Local      bool       `json:"local" doc:"It is this machine: nothing left it"`
	Task       string     `json:"task" maxLength:"40" doc:"planning, narration, followups, embedding"`
	Bytes      int        `json:"bytes" minimum:"0" doc:"Of what was sent, as JSON"`
	Received   int        `json:"received" minimum:"0" doc:"Bytes of the reply"`
	Masked     int        `json:"masked" minimum:"0" doc:"Texts of it in which personal values were replaced before"`
	TokensIn   int        `json:"tokens_in" minimum:"0"`
	TokensOut  int        `json:"tokens_out" minimum:"0"`
	TokensKept int        `json:"tokens_kept" minimum:"0" doc:"Of those that were sent, the ones that the provider had kept from before"`
	Failed     bool       `json:"failed" doc:"It was sent, and no reply came, or none while the question was worked on"`
	Carried    []SentPart `json:"carried" nullable:"false" maxItems:"1000"`
}

// SentPart is a part of what was sent that is the person's, or of their data.
type SentPart struct {
	Kind    string   `json:"kind" maxLength:"40" doc:"question, catalogue, memo, conversation, example, rows, values, profile, statement"`
	Rows    int      `json:"rows" minimum:"0"`
	Columns []string `json:"columns" nullable:"false" maxItems:"2000"`
	Bytes   int      `json:"bytes" minimum:"0"`
}

// SentTexts is what was sent elsewhere for a turn, word for word and masked as it was then. It lies among the facts of the last step of the turn.
type SentTexts struct {
	Requests []SentText        `json:"requests"`
	Texts    map[string]string `json:"texts" doc:"By their hash; one that is not there was too much to keep"`
}

// SentText is one request, by the hashes of its texts, in the order in which a model reads them.
type SentText struct {
	To    string   `json:"to" doc:"Host and port"`
	Task  string   `json:"task" doc:"planning, narration, followups"`
	Parts []string `json:"parts" doc:"Hashes of texts"`
}
