package interpret

// The scores of a reading are log-odds, set by hand and kept in one place. A token that is understood is worth 1; what a
// piece adds or loses on top of it stands here.
const (
	scoreLonger  = 0.35 // for every further token that one piece covers: longer names win
	scoreSynonym = -0.05
	scoreColumn  = -0.5 // the name of the column in the source, where the model calls it otherwise
	scoreWithin  = -0.6 // words inside longer values
	scoreLoose   = -0.3 // the words of a name in another order, or without a code or a unit at its end
	scorePartial = 1.2  // times the share of the name that was left out
	scorePlural  = -0.3 // a value that the question says in the plural
	scoreTypo1   = -1.0
	scoreTypo2   = -2.0
	scoreClosed  = 0.05 // a closed-class reading wins over a name of the same length

	scoreSame      = -0.4 // another word with the same meaning, in general English
	scoreBroader   = -0.8 // a more general word
	scoreNarrower  = -1.2 // a more special one
	scoreOfKind    = 0.6  // a value before the kind of thing it is: "the Kama river"
	scoreOtherKind = -1.2 // a value whose last word names the kind of another one: "Kama River" where there is a river that is called Kama

	scoreCompound = -0.15 // a name with another kind of rows before it: "car models" are the models
	scoreShared   = 0.2   // "first" in "first and last names" is a name and no ranking
	scoreDefined  = 0.3   // a term that a memo defines, before anything of the model that is called so
	scoreSwallows = -2.0  // an empty phrase that starts with a name of the model: "type of the document"

	understood  = 1.0  // a word that is known to belong where it stands
	skipUnknown = -2.5 // a content word that found no place
	skipNoted   = -4.0 // the same, but written with a capital, in quotation marks, or a number

	// How well neighbours agree.
	agreeGroup    = 0.3  // grouping word, then something to group by
	disagreeGroup = -0.8 // grouping word, then nothing to group by
	disagreeCount = -1.5 // "number of", then a ratio: "number of orders per customer" is a count for each of them
	agreePlace    = 0.4  // "in", then a value or a period
	agreeCompare  = 0.6  // comparison, then a number
	agreeRank     = 0.6  // ranking word, then a number
	weakValue     = -3.0
	strayNumber   = -1.0

	// Which of several things of one name is meant. All of these are losses, so that a reading gains nothing by having
	// more slots.
	bindHop            = -0.3 // for every join between the metric's rows and the thing
	bindUnlike         = 0.1  // of bindHop's weight when the candidates are different concepts: closeness does not decide between them
	bindElsewhere      = -0.8 // an entity is named beside it ("customers in Germany") and does not own it
	bindUnlikeNear     = 0.3  // of bindElsewhere's weight when the candidates are different concepts
	bindItself         = -1.0 // counted or listed by the name of the very members: "how many tracks does Iron Maiden have"
	bindInItself       = -1.5 // the same behind "in": a city does not lie in itself
	bindNoDisplay      = -0.3 // another candidate is what members of its entity are called by, and this one is not
	bindNoDisplayValue = -0.1 // the same for a value: too little to decide between two things of one name
	bindNoDisplayName  = -1.0 // the same among names: a company is a customer before it is the name on a parcel
	bindNotTheName     = -0.6 // a value that members are called by, as another attribute of theirs: Luxembourg as a capital
	bindNotItsName     = -1.0 // the name of something else than what the name is asked of
	scoreFaint         = -0.5 // a name that is met worse does not say which related rows are meant
	bindRelated        = -0.5 // a condition on rows that a member has many of
	bindItsOwnJoin     = -1.5 // a condition on rows of a member that only repeats which member it is: states with borders of the state Texas
	bindRest           = 0.3  // a name met in part, the rest of which stands elsewhere in the question
	bindActs           = -3.0 // the member itself, where the value does something to the members: "which states does the Ohio cross"
	bindOtherMember    = -0.6 // another number asked for belongs to the very members that are named: "population of Texas" is that of the state
	bindTwin           = -0.3 // another candidate is a foreign key of it, and holds the same values nearer by
	bindUnreachable    = -1.5 // not within reach of the rows; the resolver will refuse it and say why

	marginToAnswer = 0.15 // less distance to the next different reading than this is an ambiguity

	leftOver       = -2.5 // a piece that no construct used
	sortsOneNumber = -1.0 // an order, and nothing that is in it
)

// Confidence of a slot by method: the fixed table of the contract.
const (
	confidenceExact   = 1.0
	confidenceFuzzy   = 0.85
	confidenceSynonym = 0.8
	confidenceModel   = 0.75
	confidenceBroader = 0.7
	confidenceDefault = 0.7
	confidenceNearby  = 0.5
	confidenceInvalid = 0.3
)

// confidenceToAnswer is the calibrated confidence of the whole query under which the reader asks back.
const confidenceToAnswer = 0.6

func confidenceOf(method string) float64 {
	switch method {
	case MethodFuzzy:
		return confidenceFuzzy
	case MethodSynonym:
		return confidenceSynonym
	case MethodBroader:
		return confidenceBroader
	case MethodNearby:
		return confidenceNearby
	case MethodDefault:
		return confidenceDefault
	case MethodModel:
		return confidenceModel
	case MethodInvalid:
		return confidenceInvalid
	default:
		return confidenceExact
	}
}
