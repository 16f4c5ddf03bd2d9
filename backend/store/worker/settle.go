package worker

import (
	"encoding/json"
	"errors"
	"io"
	"os"
)

// settingsVar is the variable that tells a child what it is held to. Its presence is what makes a child of a process.
const settingsVar = "ASSAY_WORKER"

// settings are what a child is held to.
type settings struct {
	Memory int64    `json:"memory"` // bytes beyond those that it begins with; 0: no limit
	Writes []string `json:"writes"` // folders in which it may write; none: it may write nowhere
}

// settle holds a child to its settings and gives its ends of the pipes.
func settle() (in io.Reader, out io.Writer, err error) {
	var s settings
	if err := json.Unmarshal([]byte(os.Getenv(settingsVar)), &s); err != nil {
		return nil, nil, err
	}
	if err := limit(s); err != nil {
		return nil, nil, err
	}
	from, to := handed()
	if from == nil || to == nil {
		return nil, nil, errors.New("started without its pipes")
	}
	return from, to, nil
}
