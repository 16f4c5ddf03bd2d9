package workspace

import (
	"assay/backend/analyst"
	"assay/backend/session"
)

// keepMark gives a turn that was masked its mark back where nothing in it is of the data: how the file was signed, and with which key.
func keepMark(masked analyst.Packed, from *session.Elsewhere) analyst.Packed {
	if from != nil && masked.Turn.Elsewhere != nil {
		mark := *masked.Turn.Elsewhere
		mark.Signature, mark.Fingerprint = from.Signature, from.Fingerprint
		masked.Turn.Elsewhere = &mark
	}
	return masked
}
