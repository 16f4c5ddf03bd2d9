package api

import (
	"context"
	"net/http"

	"assay/backend/analyst"
	"assay/backend/knowledge"
	"assay/backend/rules"
	"assay/backend/workspace"
)

// CorrectionList is what the person taught, by term. Nobody else's is in it.
type CorrectionList struct {
	Corrections []knowledge.Correction `json:"corrections" nullable:"false"`
	Noted       []knowledge.Correction `json:"noted" nullable:"false" doc:"What was noted, by changed parts of readings and in sessions that are over, and the person said nothing of yet: not used, the latest first"`
}

// NotedKept is what became of what was noted.
type NotedKept struct {
	Learned *analyst.Taught `json:"learned" doc:"null: it is not remembered"`
}

// TaughtList is what was found, the nearest first.
type TaughtList struct {
	Found []workspace.TaughtFound `json:"found" nullable:"false"`
}

// LessonBody is what is taught: a sentence, or a term with what it means.
type LessonBody struct {
	Words     string `json:"words,omitempty" maxLength:"2000" doc:"A sentence: “sales means net revenue”, “exclude test accounts from revenue”"`
	Term      string `json:"term,omitempty" maxLength:"400" doc:"In place of words"`
	Means     string `json:"means,omitempty" maxLength:"2000"`
	RequestID string `json:"request_id,omitempty" maxLength:"128" doc:"The answer that is corrected; absent: it is said unasked"`
}

// AmendBody is what becomes of a correction.
type AmendBody struct {
	Term  string `json:"term,omitempty" maxLength:"400" doc:"Absent: as it is"`
	Means string `json:"means,omitempty" maxLength:"2000" doc:"Absent: as it is"`
}

func (s *Server) registerCorrections() {
	register(s, http.MethodGet, "/api/corrections", "corrections", "What the person taught: terms and what they mean in their questions",
		func(ctx context.Context, _ *struct{}) (*struct{ Body CorrectionList }, error) {
			all, err := s.ws.Corrections(ctx, "", rules.Caller{})
			if err != nil {
				return nil, err
			}
			noted, err := s.ws.Noted(ctx, "", rules.Caller{})
			return &struct{ Body CorrectionList }{CorrectionList{all, noted}}, err
		})
	register(s, http.MethodGet, "/api/memory/find", "findTaught", "What the person taught and prefers, and what is shared with them, that is most like some words",
		func(ctx context.Context, in *struct {
			Query   string `query:"q" maxLength:"2000" required:"true" doc:"Words, or the id of something of the model"`
			Session string `query:"session" maxLength:"128" doc:"The session in view: what its answers were read with goes first; absent: none"`
		},
		) (*struct{ Body TaughtList }, error) {
			found, err := s.ws.FindTaught(ctx, in.Query, in.Session, "", rules.Caller{})
			return &struct{ Body TaughtList }{TaughtList{found}}, err
		})
	register(s, http.MethodGet, "/api/memory/work", "work", "What the person asked about lately: what is asked about together, and what interests them",
		func(ctx context.Context, _ *struct{}) (*struct{ Body analyst.Work }, error) {
			work, err := s.ws.Work(ctx, "", rules.Caller{})
			return &struct{ Body analyst.Work }{work}, err
		})
	register(s, http.MethodPost, "/api/corrections", "teach", "Teach what a term means; it is used in the person's own questions from then on",
		func(ctx context.Context, in *struct{ Body LessonBody }) (*struct{ Body analyst.Taught }, error) {
			return taught(s.ws.Teach(ctx, analyst.Lesson{Words: in.Body.Words, Term: in.Body.Term, Means: in.Body.Means, RequestID: in.Body.RequestID}))
		})
	register(s, http.MethodPost, "/api/noted/{id}", "remember", "Remember what was noted that a word means, or leave it",
		func(ctx context.Context, in *struct {
			ID   string `path:"id" maxLength:"128"`
			Body struct {
				Remember bool `json:"remember"`
			}
		},
		) (*struct{ Body NotedKept }, error) {
			t, err := s.ws.Remember(ctx, in.ID, in.Body.Remember, "", rules.Caller{})
			return &struct{ Body NotedKept }{NotedKept{t}}, err
		})
	register(s, http.MethodPatch, "/api/corrections/{id}", "amendCorrection", "Give what was taught another term or meaning",
		func(ctx context.Context, in *struct {
			ID   string `path:"id" maxLength:"128"`
			Body AmendBody
		},
		) (*struct{ Body analyst.Taught }, error) {
			return taught(s.ws.AmendCorrection(ctx, in.ID, analyst.Lesson{Term: in.Body.Term, Means: in.Body.Means}))
		})
	register(s, http.MethodPost, "/api/corrections/{id}/narrow", "narrowCorrection", "Have what was taught hold in the answer that it was said of alone, and what it took the place of in others again",
		func(ctx context.Context, in *struct {
			ID string `path:"id" maxLength:"128"`
		},
		) (*struct{ Body analyst.Taught }, error) {
			s.exports.forget(nil) // a bundle that waits to be fetched may say it
			return taught(s.ws.NarrowCorrection(ctx, in.ID, "", rules.Caller{}))
		})
	register(s, http.MethodDelete, "/api/corrections/{id}", "forgetCorrection", "Forget what was taught, so that nothing of it can be read in the memory",
		func(ctx context.Context, in *struct {
			ID string `path:"id" maxLength:"128"`
		},
		) (*struct{}, error) {
			s.exports.forget(nil) // a bundle that waits to be fetched may say it
			return &struct{}{}, s.ws.ForgetCorrection(ctx, in.ID, "", rules.Caller{})
		})
}

// PreferenceList is how the person wants answers to look. Nobody else's is in it.
type PreferenceList struct {
	Preferences []knowledge.Preference `json:"preferences" nullable:"false"`
	Kinds       []PreferenceKind       `json:"kinds" nullable:"false" doc:"All that can be chosen"`
}

// PreferenceKind is a kind of preference with its values.
type PreferenceKind struct {
	Kind    knowledge.PreferenceKind `json:"kind" enum:"grain,scale,decimals,chart,length,tone"`
	Subject string                   `json:"subject" doc:"What it is about, in words"`
	Values  []PreferenceValue        `json:"values" nullable:"false"`
}

// PreferenceValue is a value that can be preferred.
type PreferenceValue struct {
	Value string `json:"value"`
	Words string `json:"words" doc:"What it says of the subject"`
}

// PreferBody is what is chosen.
type PreferBody struct {
	Kind  string `json:"kind" maxLength:"200" doc:"grain, scale, decimals, chart or length"`
	Value string `json:"value" maxLength:"200" doc:"One of the values of its kind"`
}

func (s *Server) registerPreferences() {
	register(s, http.MethodGet, "/api/preferences", "preferences", "How the person wants answers to look, and what can be chosen",
		func(ctx context.Context, _ *struct{}) (*struct{ Body PreferenceList }, error) {
			all, err := s.ws.Preferences(ctx, "", rules.Caller{})
			return &struct{ Body PreferenceList }{PreferenceList{all, preferenceKinds()}}, err
		})
	register(s, http.MethodPatch, "/api/preferences", "prefer", "Choose how answers look; it holds in the person's own answers from then on",
		func(ctx context.Context, in *struct{ Body PreferBody }) (*struct{ Body analyst.Taught }, error) {
			return taught(s.ws.Prefer(ctx, knowledge.PreferenceKind(in.Body.Kind), in.Body.Value, "", rules.Caller{}))
		})
	register(s, http.MethodDelete, "/api/preferences/{id}", "forgetPreference", "Forget how answers are to look, so that nothing of it can be read in the memory",
		func(ctx context.Context, in *struct {
			ID string `path:"id" maxLength:"128"`
		},
		) (*struct{}, error) {
			return &struct{}{}, s.ws.ForgetPreference(ctx, in.ID, "", rules.Caller{})
		})
}

func preferenceKinds() []PreferenceKind {
	var all []PreferenceKind
	for _, kind := range knowledge.PreferenceKinds {
		one := PreferenceKind{Kind: kind, Subject: knowledge.Preference{Kind: kind}.Subject()}
		for _, value := range knowledge.PreferenceValues(kind) {
			one.Values = append(one.Values, PreferenceValue{value, knowledge.Preference{Kind: kind, Value: value}.Says()})
		}
		all = append(all, one)
	}
	return all
}

func taught(t *analyst.Taught, err error) (*struct{ Body analyst.Taught }, error) {
	if err != nil {
		return nil, err
	}
	return &struct{ Body analyst.Taught }{*t}, nil
}
