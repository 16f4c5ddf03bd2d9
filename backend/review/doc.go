// Package review is the air gap between what people teach Assay for themselves and what it knows for everybody. It finds out when several senior people said the same, puts that before a
// steward together with what would come of it, and keeps what a person decides. It changes no answer by itself: only what was approved is used for others, and only its
// context file outlives the memory of one workspace.
package review
