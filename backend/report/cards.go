package report

import (
	"maps"
	"slices"

	"assay/backend/session"
)

// maker lays out an artifact that is a card by itself. Its elements of the page have names that begin with name.
type maker func(a session.FileArtifact, name string, o Choice) (*Box, error)

// cardOf gives the maker of a kind; nil: it is no card by itself, but a part of the answer or of how a person looks at it.
func cardOf(kind session.Kind) maker {
	switch kind {
	case session.KindComparison:
		return comparison
	case session.KindSimulation:
		return simulation
	case session.KindStructure:
		return structure
	case session.KindQMCard:
		return measured
	case session.KindDriverAnalysis:
		return drivers
	case session.KindRecommendation:
		return recommendation
	case session.KindFrame, session.KindChart, session.KindNarration, session.KindFollowups, session.KindProvenance, session.KindClarification,
		session.KindRefusal, session.KindExplanation, session.KindView:
	}
	return nil
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
