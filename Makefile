# Everything a person runs. `make run` and `make test` work on a fresh Debian or Ubuntu machine with Go and Node.

SHELL        := /bin/bash
.SHELLFLAGS  := -eu -o pipefail -c
VERSION      := $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
LDFLAGS      := -s -w -X main.version=$(VERSION)
WINDOW_TAGS  := desktop,production,webkit2_41
TOOLS        := $(CURDIR)/.tools
LINT_VERSION := v2.8.0
FMT_VERSION  := v0.9.2
GO_FILES     := $(shell git ls-files -co --exclude-standard '*.go' 2>/dev/null)
PAGE_FILES   := $(shell git ls-files -co --exclude-standard frontend backend/text 2>/dev/null | grep -v '^frontend/dist/')
# One way to build everything: what all of it needs is compiled once, and once more for the race detector.
export GOFLAGS := $(strip -trimpath $(GOFLAGS))
# Where the race detector looks: at all tests of RACED, and in RACED_SOME, whose code starts goroutines too or is asked by many, at the tests
# whose names have one of the words. RACED_LONG needs every library of the program once more, built for the detector, which takes as long as
# all other tests: test-long looks there, and everywhere. backend/arch_test.go sees that no package is forgotten.
RACED        := desktop llm/llmtest mind secret store/worker values
RACED_SOME   := interpret memory report retrieval skill store
RACED_TESTS  := AtOnce|Concurrent|Cancel|During|While|Stop|Clos|Many|Two|Progress|Interrupted|KilledWorker
RACED_LONG   := analyst api llm minds workspace
# The packages whose tests take longest begin first, beside all others.
LONGEST      := workspace store api memory
# Packages whose tests do without DuckDB and a C compiler.
LIGHT         = $(shell CGO_ENABLED=0 go list -e -test -f '{{.ImportPath}} {{join .Deps " "}}' ./... 2>/dev/null | grep '^[^ ]*\.test ' | \
	grep -v -e duckdb-go -e pg_query -e wails | sed 's/\.test .*//')
CORE         := fault text yamlfile semantic semantic/dbt compile frameql reuse interpret interpret/valueindex interpret/whatif risk rules rules/pii session frameview chart reading tool skill mind prose knowledge analyst review report

.PHONY: help run build install uninstall headless test check check-fast static race unit slowest bench eval mutate test-long fmt clean setup page types test-ollama random-weights window-test e2e screenshots grid-speed first-word session-speed

help: ## Show this list
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

run: build ## Install what is missing, build, open the window (without a display: serve the page)
	./build/bin/assay

build: setup page ## Build the program with the window into build/bin/assay
	go build -tags $(WINDOW_TAGS) -ldflags "$(LDFLAGS)" -o build/bin/assay .

headless: ## Build the headless program: needs Go and a C compiler only
	go build -ldflags "$(LDFLAGS)" -o build/bin/assay-headless .

setup: ## Install the system packages that are missing
	@scripts/setup.sh run

page: frontend/dist/index.html ## Build the page

frontend/dist/index.html: frontend/node_modules/.package-lock.json $(PAGE_FILES)
	cd frontend && npm run --silent build

frontend/node_modules/.package-lock.json: frontend/package-lock.json
	cd frontend && npm ci --ignore-scripts --no-audit --no-fund
	@touch $@

types: ## Generate the page's types from the API description
	go test ./backend/api -run 'TestOpenAPI|TestSessionSchema' -update
	cd frontend && npm run --silent types

test: ## Everything that CI runs: check, the page in a browser, the window under Xvfb
	@scripts/setup.sh test
	@rm -rf build/times
	ASSAY_SERVERS=required $(MAKE) check
	$(MAKE) e2e
	$(MAKE) window-test

# What the property tests draw is the same in every run; test-long draws anew. (A comment behind the value would leave a space in it.)
check check-fast race unit: export RAPID_SEED ?= 1
check: static race unit build ## Format, vet, lint, race tests, pure core, types, unit tests, build

check-fast: static ## Format, vet, lint, tests that need no DuckDB, the page's tests: under three minutes once it has run
	CGO_ENABLED=0 go run ./scripts/tests run fast $(LIGHT)
	cd frontend && npm test --silent

static: $(TOOLS)/golangci-lint $(TOOLS)/gofumpt page # go vet is a part of golangci-lint, so no test repeats it
	@unformatted=$$($(TOOLS)/gofumpt -l $(GO_FILES)); test -z "$$unformatted" || { echo "not formatted (make fmt):"; echo "$$unformatted"; exit 1; }
	cd frontend && npm run --silent check && npm run --silent lint
	CGO_ENABLED=0 go build $(addprefix ./backend/,$(addsuffix /,$(CORE)))
	$(TOOLS)/golangci-lint run --allow-parallel-runners ./...
	go vet -tags $(WINDOW_TAGS) .
	go vet -tags $(WINDOW_TAGS),drive .

race: page
	go run ./scripts/tests run race -vet=off -race $(addprefix ./backend/,$(RACED))
	go run ./scripts/tests run race-some -vet=off -race -run '$(RACED_TESTS)' $(addprefix ./backend/,$(RACED_SOME))

unit: page
	go run ./scripts/tests run unit -servers -vet=off -timeout 30m $(addprefix assay/backend/,$(LONGEST)) \
		$$(go list ./... | grep -vx $(foreach p,$(RACED) $(LONGEST),-e assay/backend/$(p)))
	cd frontend && npm test --silent

slowest: ## The thirty slowest tests and checks of the last run (N=30)
	@go run ./scripts/tests slowest $(or $(N),30)

e2e: page ## Drive the page in Chromium: two programs, each with half of the checks
	$(MAKE) headless # the page is a part of it
	@mkdir -p build/times; rm -f build/times/page.json; export E2E_TIMES=$(CURDIR)/build/times/page.json; \
	E2E_SHARE=2/2 scripts/e2e.sh >build/e2e-2.log 2>&1 & other=$$!; status=0; \
	E2E_SHARE=1/2 scripts/e2e.sh 2>&1 | tee build/e2e-1.log || status=1; \
	wait $$other || status=1; cat build/e2e-2.log; \
	test $$status = 0 || { echo "what failed:"; grep -h -A 12 '^FAIL' build/e2e-[12].log; exit 1; }

window-test: setup page ## Drive the window under Xvfb: a build that a test can look into, which nothing ships
	go build -tags $(WINDOW_TAGS),drive -o build/bin/assay-drive .
	@mkdir -p build/times; rm -f build/times/window.json
	E2E_TIMES=$(CURDIR)/build/times/window.json scripts/window-test.sh

test-ollama: ## Build a real Ollama server (some minutes, once) and run the adapter against it with a model of random weights
	scripts/test-ollama.sh

random-weights: ## Ask a real Ollama server whose model has random weights a hundred questions (some minutes): each ends in a query or an honest refusal
	scripts/test-ollama.sh -v -timeout 120m ./evals -run '^TestRandomWeights$$'

install: build ## Install for this person: program, menu entry, icons, kinds of files (Linux); take away: make uninstall
	scripts/install.sh

uninstall: ## Take away what install has put there; data and sessions stay
	scripts/install.sh remove

grid-speed: page ## Measure the grid in Chromium over ten million rows, and over 2 million rows of 200 columns: jumps, frames, memory
	$(MAKE) headless
	E2E_SCRIPT=speed.mjs scripts/e2e.sh
	wide=$$(mktemp -d); trap 'rm -rf "$$wide"' EXIT; go run ./scripts/wide "$$wide/wide.parquet"; E2E_DATA=$$wide/wide.parquet E2E_SCRIPT=wide.mjs scripts/e2e.sh

first-word: page ## Measure how long the first word of a model takes from its server to the screen
	$(MAKE) headless
	E2E_SCRIPT=first-word.mjs scripts/e2e.sh

session-speed: page ## Measure how long a session of 500 artifacts takes to be opened in the page, from the click to its last answer
	$(MAKE) headless
	E2E_SCRIPT=opening.mjs scripts/e2e.sh

bench: ## Measure: start, time to answer, import rate, memory
	scripts/bench.sh

screenshots: page ## Photograph every view, light and dark, 1280 and 1920 wide, into build/screenshots with a contact sheet
	$(MAKE) headless # the page is a part of it
	E2E_ONLY=screenshots E2E_SHOTS=$(CURDIR)/build/screenshots scripts/e2e.sh

eval: ## Ask every question of evals/ of the samples, and everything that the answers suggest
	ASSAY_EVALS=all go test ./evals -count=1 -v

mutate: ## Change the guards of the resolver and the cache one by one, and see that a test notices
	go run ./scripts/mutate -pkg backend/frameql -files '$(RESOLVER)' -n $(or $(N),200) -seed $(or $(SEED),1) -jobs 2 \
		-test 'CGO_ENABLED=0 ./backend/frameql -test.run ^TestCorpus$$' \
		-test 'CGO_ENABLED=0 ./backend/frameql -test.skip ^(TestCorpus$$|TestSchema|TestAbsurd|TestNarrow|TestLimits|TestJSON|TestText|TestForms|TestParsing|TestSpellings|Fuzz)' \
		-test './backend/frameql -test.run ^Test(Meaning|Language|CalendarOfWeeksRuns|Population|TotalsAreConserved|DrawnPlansRun)' \
		-test 'ASSAY_CASES=300 ./backend/frameql/frameqltest'
	go run ./scripts/mutate -pkg backend/reuse -n $(or $(N),200) -seed $(or $(SEED),1) -jobs 2 \
		-test './backend/reuse -test.run ^Test(Implication|Truth|Refusals|WhatIsNotImplied)' \
		-test 'ASSAY_CASES=500 ./backend/reuse'

RESOLVER = resolve.go,refuse*.go,check_*.go,paths.go,bind_[a-k]*.go,bind_level.go,bind_literal.go,bind_[m-z]*.go,scalar.go,finish.go,period.go,identity.go,calendar.go

test-long: ## The long loops: the race detector over everything, SIGKILL rounds, fuzzing, larger property runs
	go test -race -vet=off -timeout 90m $$(go list ./... | grep -vx -e assay/backend/cli -e 'assay/evals.*') # it has seen what the last two run
	E2E_ALL=1 $(MAKE) e2e # in every size, light and dark
	ASSAY_KILL_ROUNDS=100 go test -timeout 60m -run 'Kill' ./backend/... -v
	ASSAY_KILL_ROUNDS=1000 ASSAY_FULL_STEPS=1024 go test -timeout 60m -run 'Kill|FullDisk' ./backend/memory -v
	for f in FuzzParse FuzzParseJSON; do go test ./backend/frameql -run '^$$' -fuzz "^$$f$$" -fuzztime 10m; done
	ASSAY_EVALS=all go test -timeout 60m ./evals -run RecordedSessionsReplay -count=1 -v
	ASSAY_STEPS=1000000 go test -timeout 60m ./backend/knowledge -run Simulation -v
	ASSAY_FILES=20000 go test -timeout 120m ./backend/workspace -run EveryFile -v
	ASSAY_STEPS=100000 go test -timeout 120m ./backend/workspace -run Simulation -v
	ASSAY_TOGETHER_SECONDS=60 go test -run Together ./backend/cli -v
	ASSAY_MUTANTS=10000 go test -timeout 60m ./backend/workspace -run TestMutants -v
	go test ./backend/analyst -run '^$$' -fuzz '^FuzzReadSession$$' -fuzztime 30m -fuzzminimizetime 10x
	go test ./backend/workspace -run '^$$' -fuzz '^FuzzImportSession$$' -fuzztime 30m -fuzzminimizetime 10x
	go test ./backend/compile -run "^$$" -fuzz "^FuzzQuote$$" -fuzztime 2m
	ASSAY_MUTANTS=200000 go test -timeout 60m ./backend/sqlgate -run Mutants -v
	for f in FuzzDuckDB FuzzPostgres FuzzMySQL FuzzClickHouse; do go test ./backend/sqlgate -run '^$$' -fuzz "^$$f$$" -fuzztime 15m; done
	go test ./backend/rules/pii -run "^$$" -fuzz "^FuzzFind$$" -fuzztime 2m -fuzzminimizetime 10x
	ASSAY_CASES=20000 go test -timeout 120m ./backend/frameql/frameqltest ./backend/reuse ./backend/store ./backend/rules/pii
	go test -timeout 60m ./backend/frameql ./backend/semantic ./backend/interpret ./backend/store/sniff ./backend/rules ./backend/rules/pii -rapid.checks=20000

fmt: $(TOOLS)/gofumpt frontend/node_modules/.package-lock.json ## Format Go and the page
	$(TOOLS)/gofumpt -w $(GO_FILES)
	cd frontend && npm run --silent format

clean: ## Remove what was built; data and sessions stay
	rm -rf build/bin frontend/node_modules .tools assay
	find frontend/dist -mindepth 1 ! -name .keep -delete

$(TOOLS)/golangci-lint:
	GOBIN=$(TOOLS) go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(LINT_VERSION)

$(TOOLS)/gofumpt:
	GOBIN=$(TOOLS) go install mvdan.cc/gofumpt@$(FMT_VERSION)
