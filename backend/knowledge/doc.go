// Package knowledge says what is believed and why: how sure an item of shared knowledge is, who may see it, who may decide about it, and when
// corrections of several people mean the same. It is pure: it stores nothing, and time and roles are given to it.
//
// Confidence follows from evidence alone, by a table. No model's and no person's own estimate is read. Nothing becomes shared by itself: a person
// decides each step, and what they may decide is settled here, wherever the item is kept.
package knowledge
