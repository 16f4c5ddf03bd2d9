// Package timex reads English date phrases as half-open ranges of days: absolute ones, relative ones, ranges, open ranges, parts
// of a period, named days, fiscal periods. It is pure: the day of today and the calendars come in with the environment.
//
// The grammar is compositional. A phrase means an expression, and an expression is one of two things:
//
//   - definite: one span of days, such as 2016, last week, 3 days ago;
//   - a set: spans that repeat, such as March, Friday, the 12th, Q3, the first Monday of May, Christmas.
//
// Everything else is an operation on expressions, so that what works for one works for all of a kind:
//
//	placing      SET in BOX          march of last year, friday of next week, the 3rd of June 2016, 2016 Q2
//	picking      K-th UNIT or SET    first week of October, last friday of the month, first three months of 2015
//	cutting      PART of BOX         early next year, the end of March, the rest of the week, the second half of 2016
//	moving       N UNITS from POINT  3 days ago, two months before March 2012, the week after Easter
//	pointing     last/this/next SET  last friday, this September, next Christmas
//	joining      FROM .. TO ..       each end borrows from the other what it does not say: 3 to 12 March, from May to June 2015
//	opening      since, before ...   one end is left open
//
// A set that stands alone means its most recent occurrence that has begun, and that is disclosed as an assumption.
package timex
