package llm

import (
	"context"
	"encoding/json"
)

// Model is one language model of one provider. It is safe for concurrent use.
type Model interface {
	// Card says what is known of the model by now. It asks nobody.
	Card() Card
	// About is the card of a provider that says what its models can do (Ollama): it is asked once. Others are not asked. Faults as of Send.
	About(ctx context.Context) (Card, error)
	// Send asks the model once and waits for all of the reply; hear gets its text piece by piece as it comes, on the caller's goroutine,
	// and may be nil. Canceling ctx ends it at once.
	//
	// Faults: Unauthorized (the key is wrong, or has no credit), NotFound (no such model), Limit (the request is larger than the context
	// window, or a budget is used up), Unavailable (no connection, overloaded, asked too often, or the stream broke off), Invalid (the
	// reply is not what the protocol says), Canceled.
	Send(ctx context.Context, r Request, hear func(Chunk)) (Response, error)
}

// Embedder gives texts as vectors.
type Embedder interface {
	// Name names provider, model and version: vectors of different names are never compared.
	Name() string
	// Card says where texts go.
	Card() Card
	// Embed gives a vector of length 1 for each text, all with the same number of dimensions. Faults as of Model.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// Provider is where models come from.
type Provider interface {
	// Name is anthropic, openai or ollama.
	Name() string
	// List gives the models that are there. Faults as of Model.
	List(ctx context.Context) ([]Card, error)
	// Open gives a model by its name. It asks nobody: whether there is such a model shows when it is asked.
	Open(model string) Model
}

// Card says what a model is and can do. Numbers that are not known are 0.
type Card struct {
	Provider string `json:"provider"`
	Model    string `json:"model"`
	Endpoint string `json:"endpoint"` // host and port that a request goes to
	Local    bool   `json:"local"`    // the endpoint is this machine
	Window   int    `json:"window"`   // tokens of a request and its reply together
	Output   int    `json:"output"`   // tokens of a reply at most
	Tools    bool   `json:"tools"`    // it can wish for tools
	Schema   bool   `json:"schema"`   // its reply can be held to a JSON Schema
	LogProbs bool   `json:"log_probs"`
	Price    Price  `json:"price"`
	Bytes    int64  `json:"bytes"`  // of its weights on this machine
	Digest   string `json:"digest"` // of its weights; empty: not known
}

// Price is US dollars for a million tokens; zero where nothing is paid, or not known.
type Price struct {
	Input      float64 `json:"input"`
	Output     float64 `json:"output"`
	CacheRead  float64 `json:"cache_read"`
	CacheWrite float64 `json:"cache_write"`
}

// Task is what a model is asked for. It chooses the model, and nothing else.
type Task string

// The tasks.
const (
	Planning  Task = "planning"  // what to run
	Narration Task = "narration" // what a frame shows, in words
	Followups Task = "followups" // what to ask next
	Judging   Task = "judging"   // whether texts contradict each other
	Sorting   Task = "sorting"   // what words that correct are about
	Testing   Task = "testing"   // whether the model answers at all
	Embedding Task = "embedding" // what is alike
)

// Request is all that a model gets to see.
type Request struct {
	Task        Task
	System      []Block // what it is told, the most stable first
	Tools       []Tool
	Messages    []Message       // the conversation, oldest first; the last one is of a user or of tools
	Schema      json.RawMessage // the reply is to be JSON of this schema; nil: text
	SchemaName  string          // for protocols that want one: letters, digits, _ and -
	MaxTokens   int             // of the reply; 0: as many as the model gives
	Temperature float64         // 0 to 1
	Seed        int             // 0: none
	LogProbs    bool            // how likely each piece was, where the model says so
	Carries     []Carried       // what of the person's is in it, for the ledger; it is not sent
}

// Block is a part of what a model is told before the conversation.
type Block struct {
	Name   string // of the trace: L1, L2
	Text   string
	Stable bool // its bytes, and those before it, are the same in the next request: a prefix that is worth keeping ends here
}

// Role says whose a message is.
type Role string

// The roles. What the program tells the model in the middle of a conversation goes as a message of the user.
const (
	User      Role = "user"
	Assistant Role = "assistant"
	Tools     Role = "tools" // results of calls of the message before
)

// Message is one message of a conversation.
type Message struct {
	Role    Role
	Text    string
	Calls   []Call   // of an assistant
	Results []Result // of tools: one for each call, in their order
	Stable  bool     // as of Block
}

// Tool is what a model may wish for.
type Tool struct {
	Name        string
	Description string
	Schema      json.RawMessage // of its arguments: an object
}

// Call is a wish for a tool. Arguments are as the model wrote them, and may be no JSON.
type Call struct {
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

// Result is what came of a call.
type Result struct {
	CallID  string
	Name    string
	Content string
	Failed  bool
	Holds   Carried // what of the data is in the content, for the ledger; it is not sent
}

// Chunk is a piece of a reply as it comes.
type Chunk struct {
	Text string
}

// Stop says why a reply ended.
type Stop string

// Why a reply ends.
const (
	StopEnd     Stop = "end"
	StopTools   Stop = "tools"
	StopLength  Stop = "length"  // MaxTokens, or the window, was used up
	StopRefused Stop = "refused" // the provider, or the model, does not want to answer
)

// Response is a reply.
type Response struct {
	Text     string    `json:"text"`
	Calls    []Call    `json:"calls,omitempty"`
	Stop     Stop      `json:"stop"`
	Usage    Usage     `json:"usage"`
	Model    string    `json:"model"` // that answered, as the provider calls it
	LogProbs []LogProb `json:"log_probs,omitempty"`
}

// Usage counts tokens. Input are all of the request, those of the cache too.
type Usage struct {
	Input      int `json:"input"`
	Output     int `json:"output"`
	CacheRead  int `json:"cache_read"`
	CacheWrite int `json:"cache_write"`
}

// LogProb is the natural logarithm of how likely a piece of text was.
type LogProb struct {
	Text string  `json:"text"`
	Log  float64 `json:"log"`
}

// Carried is a part of a request that is the person's, or is of their data: what the ledger of an answer tells.
type Carried struct {
	Kind    string   `json:"kind" enum:"question,catalogue,memo,knowledge,conversation,example,rows,values,profile,statement" doc:"What it is"`
	Rows    int      `json:"rows" doc:"Rows of data; 0: none"`
	Columns []string `json:"columns" nullable:"false" doc:"Names of the columns whose values are in it"`
	Bytes   int      `json:"bytes" doc:"Of text"`
	Masked  int      `json:"masked" doc:"Personal values that were replaced before"`
}
