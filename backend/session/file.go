package session

import (
	"encoding/json"
	"time"
)

// FileFormat and FileVersion name the form of a session file. A version is counted up when an older program could not read what a
// newer one writes: since 2 the rows of the frames within artifacts stand in entries of their own, and what was left out says so.
const (
	FileFormat  = "assay-session"
	FileVersion = 2
)

// Manifest is manifest.json of a session file: what the file is and holds. A signature is over its bytes, and covers every other entry
// by its hash.
type Manifest struct {
	Format   string         `json:"format" enum:"assay-session"`
	Version  int            `json:"version" minimum:"1"`
	Program  string         `json:"program" doc:"The version of Assay that wrote the file"`
	Created  time.Time      `json:"created"`
	Contains Contains       `json:"contains"`
	Signer   *Signer        `json:"signer" doc:"Who signed it; null: nobody"`
	Files    []ManifestFile `json:"files" nullable:"false" doc:"Every entry but manifest.json and signature.json"`
}

// Frames says what a session file has of the rows of its frames.
type Frames string

// What a file has of its frames.
const (
	FramesWhole  Frames = "whole"
	FramesMasked Frames = "masked" // personal values are replaced, in frames and in all texts
	FramesNone   Frames = "none"
)

// Contains is what a session file holds.
type Contains struct {
	Frames Frames `json:"frames" enum:"whole,masked,none"`
	Model  bool   `json:"model" doc:"The part of the semantic model that its questions use"`
}

// Signer is who signed a file. The name is what the person called themself: nothing vouches for it but the key.
type Signer struct {
	Name      string `json:"name" maxLength:"200"`
	PublicKey string `json:"public_key" pattern:"^[0-9a-f]{64}$" doc:"Ed25519"`
}

// ManifestFile is an entry of the file.
type ManifestFile struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256" pattern:"^[0-9a-f]{64}$"`
}

// SignatureFile is signature.json: over the exact bytes of manifest.json.
type SignatureFile struct {
	Algorithm string `json:"algorithm" enum:"ed25519"`
	Signature string `json:"signature" pattern:"^[0-9a-f]{128}$"`
}

// File is session.json. In a package (*.assay) the rows of its frames stand in files of their own and its trace in trace.jsonl; alone, it
// has both within.
type File struct {
	Format    string        `json:"format" enum:"assay-session"`
	Version   int           `json:"version" minimum:"1"`
	Program   string        `json:"program" doc:"The version of Assay that wrote it"`
	ID        string        `json:"id"`
	Title     string        `json:"title"`
	Created   time.Time     `json:"created"`
	Updated   time.Time     `json:"updated"`
	Origin    *Origin       `json:"origin" doc:"The session that it was forked from; null: it began by itself"`
	Workspace FileWorkspace `json:"workspace"`
	State     State         `json:"state"`
	Turns     []FileTurn    `json:"turns" nullable:"false"`
}

// FileWorkspace is the workspace that a session was asked in.
type FileWorkspace struct {
	Name   string            `json:"name"`
	Model  string            `json:"model" doc:"Version of its semantic model: sha256:..."`
	Tables map[string]string `json:"tables" nullable:"false" doc:"The epoch of each table that an answer of the session read, when it read it last"`
}

// FileTurn is a turn as it travels. An artifact that only repeats a part of the answer has no body.
type FileTurn struct {
	Turn
	Artifacts []FileArtifact `json:"artifacts" nullable:"false"`
	Trace     []Step         `json:"trace,omitempty" doc:"Absent in a package: trace.jsonl has it"`
	Rows      string         `json:"rows,omitempty" doc:"The entry with the rows of the answer's frame; absent: they stand in it, or were left out"`
}

// FileArtifact is an artifact as it travels.
type FileArtifact struct {
	ID      string          `json:"id" pattern:"^art_.+_[0-9]+_[0-9]+$"`
	Kind    Kind            `json:"kind" enum:"frame,chart,narration,followups,provenance,clarification,refusal,explanation,view,comparison,simulation,structure,qm_card,driver_analysis,recommendation"`
	Title   string          `json:"title"`
	Body    json.RawMessage `json:"body,omitempty" doc:"Of its kind; absent: as the answer has it"`
	Created time.Time       `json:"created"`

	Rows map[string]string `json:"rows,omitempty" doc:"The entries with the rows of its frames, by their place in the body: frame, base, current, result; absent: they stand in it, or were left out"`
}

// FileStep is a line of trace.jsonl.
type FileStep struct {
	RequestID string `json:"request_id"`
	Step      Step   `json:"step"`
}

// State is what a conversation has come to: what its last answer is about, and what the person said on the way. It follows from the turns and
// is written for who reads a file without Assay.
type State struct {
	Entities    []string        `json:"entities" nullable:"false" doc:"Of the last answer: what its columns are of"`
	Filters     []string        `json:"filters" nullable:"false" doc:"Of the last answer, in Frame-QL"`
	Corrections []CorrectedTurn `json:"corrections" nullable:"false" doc:"Turns that took something back or put it right, in order"`
	Choices     []Chosen        `json:"choices" nullable:"false" doc:"Words whose meaning the person chose, in order"`
}

// CorrectedTurn is a turn that corrects one before it.
type CorrectedTurn struct {
	Turn    int    `json:"turn"`
	Of      int    `json:"of" doc:"The turn that it goes on from"`
	FrameQL string `json:"frame_ql" doc:"As it reads since then"`
}

// Chosen is a meaning that a person chose.
type Chosen struct {
	Turn   int    `json:"turn"`
	Words  string `json:"words"`
	Target string `json:"target" doc:"What they mean: a name of the model"`
}

// Imported says which file a session came with. Nothing in it was checked against data, and nothing of it ran here.
type Imported struct {
	File        string            `json:"file" doc:"Its name"`
	SHA256      string            `json:"sha256"`
	At          time.Time         `json:"at"`
	By          string            `json:"by" doc:"The actor who imported it, and whose it is"`
	Signature   SignatureState    `json:"signature" enum:"none,valid,not_valid"`
	Signer      string            `json:"signer" doc:"What the signer is called by the file"`
	Fingerprint string            `json:"fingerprint" doc:"Of the signer's key; empty: it is not signed"`
	Program     string            `json:"program" doc:"The version of Assay that wrote it"`
	Workspace   string            `json:"workspace" doc:"The workspace that it was asked in"`
	Frames      Frames            `json:"frames" enum:"whole,masked,none"`
	SessionID   string            `json:"session_id" doc:"What it was called there"`
	Requests    map[string]string `json:"requests" nullable:"false" doc:"By request here: what it was called there"`
	Origin      *Origin           `json:"origin,omitempty" doc:"What it was forked from there, as the file says; absent: it began by itself"`
	Elsewhere   int               `json:"elsewhere,omitempty" doc:"Its answers that came from elsewhere there too: a signature says nothing of them"`
}

// Elsewhere says with which file a turn came. It stays with the turn wherever that goes: a branch, and a file that is made of it, have an answer that nobody
// verified.
type Elsewhere struct {
	File        string         `json:"file" maxLength:"500" doc:"Its name"`
	At          time.Time      `json:"at" doc:"When it was imported"`
	Signature   SignatureState `json:"signature" enum:"none,valid,not_valid"`
	Signer      string         `json:"signer" maxLength:"200" doc:"What the signer is called by the file"`
	Fingerprint string         `json:"fingerprint" maxLength:"60" doc:"Of the signer's key; empty: it was not signed"`
	Workspace   string         `json:"workspace" maxLength:"500" doc:"The workspace that the file was written in"`
	Relayed     bool           `json:"relayed,omitempty" doc:"Who wrote the file had it from elsewhere too: the signature says nothing of it"`
}

// SignatureState says what a signature is worth: that the file is as the holder of a key left it. It is no permission for anything.
type SignatureState string

// How a signature stands.
const (
	SignatureNone     SignatureState = "none"
	SignatureValid    SignatureState = "valid"
	SignatureNotValid SignatureState = "not_valid"
)
