package dbt

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"assay/backend/semantic"
	"assay/backend/text"
)

// jsonTree parses a JSON file. Places in it are the file alone: artifacts are one line long.
func jsonTree(file string, raw []byte) (*node, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	n, err := jsonValue(file, d, 0)
	if err == nil {
		if _, more := d.Token(); !errors.Is(more, io.EOF) {
			err = errors.New(text.Say("dbt.trailing"))
		}
	}
	if err != nil {
		return nil, unreadable(file, 1+bytes.Count(raw[:min(len(raw), int(d.InputOffset()))], []byte("\n")), jsonProblem(err))
	}
	n.read = true
	return n, nil
}

// jsonProblem says what is wrong in words of a person.
func jsonProblem(err error) string {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return text.Say("dbt.cut_off")
	}
	return err.Error()
}

func jsonValue(file string, d *json.Decoder, depth int) (*node, error) {
	if depth > maxYAMLDepth {
		return nil, errors.New(text.Say("dbt.too_deep"))
	}
	n := &node{pos: semantic.Pos{File: file}}
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch v := t.(type) {
	case string:
		n.kind, n.text = nodeScalar, v
	case json.Number:
		n.kind, n.text = nodeScalar, v.String()
	case bool:
		n.kind, n.text = nodeScalar, map[bool]string{true: "true", false: "false"}[v]
	case json.Delim:
		if v == '[' {
			return n, n.jsonList(file, d, depth)
		}
		return n, n.jsonObject(file, d, depth)
	}
	return n, nil
}

func (n *node) jsonList(file string, d *json.Decoder, depth int) error {
	n.kind = nodeList
	for d.More() {
		item, err := jsonValue(file, d, depth+1)
		if err != nil {
			return err
		}
		n.items = append(n.items, item)
	}
	_, err := d.Token()
	return err
}

func (n *node) jsonObject(file string, d *json.Decoder, depth int) error {
	n.kind, n.fields = nodeMapping, map[string]*node{}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return err
		}
		key, _ := t.(string) // the keys of a JSON object are strings
		value, err := jsonValue(file, d, depth+1)
		if err != nil {
			return err
		}
		if _, twice := n.fields[key]; !twice {
			n.keys = append(n.keys, key)
		}
		n.fields[key] = value
	}
	_, err := d.Token()
	return err
}
