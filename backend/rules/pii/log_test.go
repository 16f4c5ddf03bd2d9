package pii

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"strings"
	"testing"
	"time"
)

type account struct {
	Email    string
	Password string
	Rows     int
	Nested   map[string]any
}

type valuer struct{ s string }

func (v valuer) LogValue() slog.Value { return slog.GroupValue(slog.String("owner_name", v.s)) }

// TestRedactor writes everything that a log line may be made of, and reads the log.
func TestRedactor(t *testing.T) {
	var out bytes.Buffer
	for _, inner := range []slog.Handler{
		slog.NewJSONHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug}),
		slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug}),
	} {
		log := slog.New(NewRedactor(inner, Policy{}))
		log.Info("open postgres://u:LEAK1@db/x for leak2@example.com", "password", "LEAK3", "dsn", "u:LEAK4@tcp(h:1)/d")
		log.Warn("failed", "error", fmt.Errorf("load: %w", errors.New("token=LEAK5 and leak6@example.com")), "contact_name", "LEAK7", "n", 12)
		log.Debug("request", slog.Group("header", slog.String("Authorization", "Bearer LEAK8"), slog.String("X-Api-Key", "LEAK9"), slog.String("Cookie", "a=LEAK10")))
		log.With("session_token", "LEAK11", "secret", 4711471147).WithGroup("g").Info("x", "any", account{"leak12@example.com", "LEAK13", 3, map[string]any{"api_key": "LEAK14", "card": 4111111111111111}})
		log.Info("x", "map", map[string]string{"authorization": "LEAK15"}, "list", []string{"leak16@example.com"}, "raw", []byte("password=LEAK17"), "addr", netip.MustParseAddr("203.0.113.7"))
		log.Info("x", "who", valuer{"LEAK18"}, "card", int64(4111111111111111), "leak19@example.com", 1, "f", func() {}, "nil", nil, "took", 3*time.Second)
		log.Info("Authorization: Basic TEVBSzIw eyJhbGciOiJIUzI1.eyJzdWIiOiIxMjM0.c2lnbmF0dXJl sk-ant-LEAK21abcdefgh", "body", `{"api_key": "LEAK22", "a": "b"}`, "prompt_tokens", 1200, "address", "127.0.0.1:4711", "ship_address", "LEAK23 Street 7")
	}
	got := out.String()
	for _, leak := range []string{"LEAK", "leak", "4111111111111111", "203.0.113.7", "4711471147", "TEVBSzIw", "eyJ"} {
		if i := strings.Index(got, leak); i >= 0 {
			t.Errorf("%q leaks: ...%s...", leak, got[max(0, i-80):min(len(got), i+80)])
		}
	}
	for _, kept := range []string{`"n":12`, "n=12", `"prompt_tokens":1200`, `"Rows":3`, "took=3s", "address=127.0.0.1:4711", `"nil":null`, "postgres://u:[secret]@db/x for [email]", "load: token=[secret] and [email]"} {
		if !strings.Contains(got, kept) {
			t.Errorf("%q is gone from\n%s", kept, got)
		}
	}
	if slog.New(NewRedactor(slog.NewTextHandler(&out, nil), Policy{})).Enabled(context.Background(), slog.LevelDebug) {
		t.Error("the level of the handler behind is not asked")
	}
}

// TestRedactLeavesTheRest: what a log is full of stays readable.
func TestRedactLeavesTheRest(t *testing.T) {
	for _, s := range []string{
		"listening on http://127.0.0.1:41231/", "query took 12 ms, 10248 rows, 0 errors", "request_id=01JD3Y8M0Q6T key=orders.region", "opened data/Orders.csv (sha256:9f86d081884c)",
		"GET /api/sessions/s_01 200 3ms", "worker 4711 ended: signal: killed", "2026-01-15T09:00:00Z INFO x", "max_tokens=4096",
	} {
		if got := (Policy{}).Redact(s); got != s {
			t.Errorf("%s became %s", s, got)
		}
	}
}

func TestSecretKey(t *testing.T) {
	for _, key := range strings.Fields("token Token accessToken session_token password DB_PASSWORD userPassword passwd secret client_secret Authorization X-Api-Key api_key apiKey APIKEY private_key Cookie Set-Cookie aws_secret_access_key token_id credentials pwd") {
		if !SecretKey(key) {
			t.Errorf("%s is a secret", key)
		}
	}
	for _, key := range strings.Fields("tokens_used prompt_tokens token_count max_tokens key primary_key key_id sort_key tokenizer author secretary password_length keys cache_key passage total_tokens") {
		if SecretKey(key) {
			t.Errorf("%s is no secret", key)
		}
	}
}

func BenchmarkText(b *testing.B) {
	m := masker(b)
	s := strings.Repeat("On 2024-01-15 order 10248 of Northwind Traders came to 1,234.56 USD, see jane@example.com or call +49 30 901820. ", 9)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		m.Text(s)
	}
}

// BenchmarkHostile is what a text of one repeated sign costs: time must grow with the length, whatever stands in it.
func BenchmarkHostile(b *testing.B) {
	for _, unit := range []string{"(", "::", "a.", "1.", "@", "0 ", "<EMAIL_", "'", "token=", "x:y@", "DE12 ", "[at]", "\\"} {
		s := strings.Repeat(unit, 64<<10/len(unit))
		b.Run(unit, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				masker(b).Text(s)
			}
		})
	}
}
