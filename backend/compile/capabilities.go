package compile

import "slices"

// capabilities is the table of what engines cannot say with the value that DuckDB gives: construct by dialect. What is
// named here is computed by DuckDB, over leaf frames that the engine sends.
//
//	              DuckDB  PostgreSQL  MySQL  ClickHouse
//	percentile      +         +         -        +       MySQL has no aggregate for it; MariaDB's window needs another statement
//	first_last      +         +         -        +       no ordered aggregate that keeps a value
//	stddev          +         +         +        +
//	bool            +         +         +        +
//	distinct_sum    +         +         +        +
//	range_window    +         +         -        -       MariaDB and ClickHouse take RANGE over numbers, not over INTERVAL
//	ignore_nulls    +         -         -        +       LAST_VALUE does not leave out what is missing
//	series          +         +         +        +
//	time_zone       +         +         -        +       CONVERT_TZ is NULL unless somebody loaded its tables
//	hour            +         +         +        +
//	exists_agg      +         +         +        -       a subquery may not look outside of an aggregate
//
// What has a + was tested against the same rows on DuckDB, PostgreSQL 15 and MariaDB 10.11; for ClickHouse it is what its
// manual says of version 25.8 and later.
func capabilities() map[Dialect][]capability {
	return map[Dialect][]capability{
		Postgres:   {canCarry},
		MySQL:      {canPercentile, canFirstLast, canRange, canCarry, canZone},
		ClickHouse: {canRange, canExistsInAgg},
	}
}

// lacks gives the column of a dialect.
func lacks(d Dialect) []capability { return slices.Clone(capabilities()[d]) }
