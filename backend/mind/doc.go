// Package mind is the loop in which a mind observes, thinks and acts, with its bounds; the two kinds of language model that can be in it, one that
// uses tools and one that can only fill in a form; and what they are told. It decides nothing: what comes of it is a wish, which the analyst judges like
// every other query.
package mind
