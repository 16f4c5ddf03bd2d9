package sqlgate

import (
	"assay/backend/fault"
	"assay/backend/text"
)

// The rules by which a statement is refused. Their ids are stable: the audit log keeps them.
const (
	ruleDialect   = "dialect.unknown"
	ruleEncoding  = "text.encoding"   // no valid UTF-8, a NUL or another control character
	ruleLength    = "text.length"     // longer than MaxBytes
	ruleHidden    = "text.executable" // a comment that MySQL or MariaDB would run
	ruleAmbiguous = "text.ambiguous"  // another text under another sql_mode
	ruleDepth     = "size.depth"
	ruleList      = "size.list"
	ruleArms      = "size.arms"
	ruleEmpty     = "statement.empty"
	ruleSyntax    = "statement.syntax"
	ruleMultiple  = "statement.multiple"
	ruleWrite     = "statement.write"
	ruleKind      = "statement.kind" // reads, but is no SELECT
	ruleNode      = "node.unknown"
	ruleInto      = "node.into"
	ruleLock      = "node.lock"
	ruleVariable  = "node.variable"
	ruleParameter = "node.parameter"
	ruleFunction  = "function.refused" // on the list of those that may not run
	ruleUnknown   = "function.unknown" // on no list
	ruleMethod    = "function.method"
	ruleType      = "type.refused"
	ruleOperator  = "operator.unknown"
	ruleTable     = "table.unavailable"
	ruleFile      = "table.file"
	ruleColumn    = "column.system"
	ruleBound     = "literal.bound"
	ruleEndless   = "recursion.endless"
	ruleDisagree  = "parsers.disagree"
	rulePivot     = "pivot.values"
)

// refusal turns a verdict into a refused one. Reasons are sentences that hold for every statement the rule meets; where one names
// something, w.refuse says so.
func refusal(v Verdict, rule string, pairs ...any) Verdict {
	v.Allowed, v.Rule, v.Pivot = false, rule, nil
	v.Reason = sentence(rule, pairs)
	return v
}

func sentence(rule string, pairs []any) string {
	switch rule {
	case ruleDialect:
		return text.Say("sqlgate.dialect")
	case ruleEncoding:
		return text.Say("sqlgate.encoding")
	case ruleLength:
		return text.Say("sqlgate.length")
	case ruleHidden:
		return text.Say("sqlgate.executable_comment")
	case ruleAmbiguous:
		return text.Say("sqlgate.ambiguous")
	case ruleDepth:
		return text.Say("sqlgate.depth")
	case ruleList:
		return text.Say("sqlgate.list")
	case ruleArms:
		return text.Say("sqlgate.arms")
	case ruleEmpty:
		return text.Say("sqlgate.empty")
	case ruleSyntax:
		return text.Say("sqlgate.syntax")
	case ruleMultiple:
		return text.Say("sqlgate.multiple")
	case ruleWrite:
		return text.Say("sqlgate.write")
	case ruleKind:
		return text.Say("sqlgate.kind")
	case ruleInto:
		return text.Say("sqlgate.into")
	case ruleLock:
		return text.Say("sqlgate.lock")
	case ruleVariable:
		return text.Say("sqlgate.variable")
	case ruleParameter:
		return text.Say("sqlgate.parameter")
	case ruleFunction, ruleUnknown:
		return text.Say("sqlgate.function", pairs...)
	case ruleMethod:
		return text.Say("sqlgate.method")
	case ruleType:
		return text.Say("sqlgate.type")
	case ruleOperator:
		return text.Say("sqlgate.operator")
	case ruleTable:
		return text.Say("sqlgate.table")
	case ruleFile:
		return text.Say("sqlgate.file")
	case ruleColumn:
		return text.Say("sqlgate.column")
	case ruleBound:
		return text.Say("sqlgate.bound")
	case ruleEndless:
		return text.Say("sqlgate.endless")
	case ruleDisagree:
		return text.Say("sqlgate.disagree")
	case rulePivot:
		return text.Say("sqlgate.pivot")
	default:
		return text.Say("sqlgate.node")
	}
}

// broken is the fault of a parser that cannot be used.
func broken(err error) error {
	return fault.Wrap(fault.Internal, "check statement", text.Say("sqlgate.broken"), text.Say("sqlgate.broken_hint"), err)
}
