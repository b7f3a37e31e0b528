# A newcomer needs Go 1.26 and `make test`; nothing else is installed or fetched but the modules in go.sum.
# `make help` lists the targets. Pull requests are judged by `make check`, which .ci/run calls.

GO         ?= go
FUZZTIME   ?=
SINCE      ?= 1 day ago
# Static, so that one binary runs in any container, and everywhere but under the race detector, so that nothing is
# compiled in two ways.
export CGO_ENABLED = 0
# What releases are built with: earlier ones have known vulnerabilities in the standard library (make vulnerabilities).
RELEASE_GO  = go1.26.11
STATICCHECK = $(GO) tool -modfile=tools/go.mod staticcheck

.DEFAULT_GOAL := all
.PHONY: all build test slow race lint fmt vet vet-others staticcheck limits circles fuzz bench bench-growth bench-parsers bench-profiles bench-whole bench-bundle bench-vet tools-vet fixtures coded textbook services busy aged wild wild-modules wild-servers cluster-lab victoria-logs loki profile-store docs assets screenshots check nightly clean help

all: build test ## build and test

# Stacks of a panic need no symbol table.
build: ## bin/triage
	$(GO) build -ldflags='-s -w' -o bin/triage ./cmd/triage

# What is absent makes tests skip, never fail: the collection of real dumps is found through TRIAGE_CORPUS. testdata/gen
# is no part of it (modules of their own, for Go releases back to 1.12): `make fixtures` builds those programs.
test: build corpus-note ## the tests that take seconds each; they need nothing but Go
	$(GO) test -short -timeout 40m $(QUICK_FIRST)

# Packages whose tests take longest come last: go test prints what passed in the order of its arguments.
SLOWEST     = /(triage|report|redact|ingest.*|stackparse|profile|fetch|accuracy)$$
QUICK_FIRST = $$($(GO) list ./... | grep -vE '$(SLOWEST)') $$($(GO) list ./... | grep -E '$(SLOWEST)')

# Tests that take longer skip under -short, in their first line; this runs those alone.
slow: corpus-note ## the tests that make test leaves out: minutes
	$(GO) test -timeout 40m -run "^($$(grep -rh -B1 'if testing.Short() {' --include='*_test.go' . | \
		sed -n 's/^func \(Test[A-Za-z0-9_]*\).*/\1/p' | paste -sd '|' -))$$" \
		$$(grep -rl 'if testing.Short() {' --include='*_test.go' cmd internal profile report rules stackparse triage | \
		xargs -n1 dirname | sort -u | sed 's|^|./|')

# Packages that start goroutines, or whose tests do; a test in package triage finds those that are missing. All others,
# and the commands, which only wire these, run under the race detector every night. The detector needs a C compiler;
# `make test` does not.
CONCURRENT = internal/accuracy internal/fetch internal/fetch/kubectltest internal/gocode internal/ingest internal/ingest/open \
	internal/mcp internal/parallel internal/watch rules/verdict triage

race: corpus-note ## the tests of what runs side by side, under the race detector
	CGO_ENABLED=1 $(GO) test -race -short -timeout 40m $(addprefix ./,$(CONCURRENT))

# Two minutes. FLAGS='-misses -population "published bugs"' prints what is wrong in the open halves of one population,
# FLAGS='-program NAME' the leads about one program.
.PHONY: score accuracy
score: corpus-note ## print how often triage is right about all labelled captures
	$(GO) test ./internal/accuracy -run Accuracy -count 1 -v -args $(FLAGS)

accuracy: corpus-note ## write docs/accuracy.md and the figures of README.md anew
	$(GO) test ./internal/accuracy -run Accuracy -count 1 -update

.PHONY: reproducible vulnerabilities
reproducible: ## build the commit in two folders and compare the bytes
	tools/reproducible.sh

vulnerabilities: ## look for known vulnerabilities in what a release is built from; TRIAGE_VULNDB names a copy of the database
	GOTOOLCHAIN=$(RELEASE_GO) tools/vuln.sh

.PHONY: corpus-note
corpus-note:
	@if [ -z "$$TRIAGE_CORPUS" ]; then echo "note: TRIAGE_CORPUS is not set: tests over real dumps skip"; fi

lint: fmt vet limits staticcheck ## gofmt, vet, limits and words, staticcheck

fmt:
	@bad=$$(gofmt -l .); if [ -n "$$bad" ]; then echo "not formatted (gofmt -w .):"; echo "$$bad"; exit 1; fi

vet:
	$(GO) vet ./...

# Few files are of one system, and compiling all modules for two more takes minutes. make release-check links them.
vet-others: ## vet what is built for other systems
	GOOS=darwin $(GO) vet ./...
	GOOS=windows $(GO) vet ./...

# Pinned in tools/go.mod, a module apart: the product depends on none of it.
staticcheck:
	$(STATICCHECK) ./...

limits: ## lines, files, functions, complexity and words (tools/lint)
	cd tools && $(GO) run ./lint ..

circles: ## the largest circle of files in each package, at most 24 of them (tools/circles)
	cd tools && $(GO) run ./circles -dir .. -max 24 ./...

# With the tests of pages in a real browser, which skip where there is none.
tools-vet:
	cd tools && $(GO) vet ./... && $(GO) test -short ./...

fuzz: ## every fuzz target for FUZZTIME, or all together for three minutes
	tools/fuzz.sh $(FUZZTIME)

# Half an hour of a quiet machine; each part has a target of its own. docs/performance.md has the last figures.
bench: bench-growth bench-parsers bench-profiles bench-whole bench-bundle ## print the tables of docs/performance.md anew

bench-growth: ## time and memory against size; ONLY=logs,bundles for some of it
	cd bench && $(GO) run ./growth -only "$(ONLY)"

bench-parsers: ## parsers side by side
	cd bench && $(GO) test -run - -bench Collapse -count 3 .

bench-profiles: ## profiles beside pprof
	cd bench && $(GO) run ./profiles

bench-whole: ## the whole command over 1 GB of log
	bench/whole.sh
	APART=1 bench/whole.sh

bench-bundle: ## the whole command over a bundle of 2 GiB
	bench/bundle.sh

# It only has to compile here: figures from a busy machine say nothing, so no check depends on them.
bench-vet:
	cd bench && $(GO) vet ./... && $(GO) test -short ./...

# pack moves folders that drivers have filled into one archive each, of the format that the third argument names; what is
# tracked in them stays there too.
pack = cd testdata/gen/pack && for dir in ../../$(2); do \
	$(GO) run . $(1) $${dir%/}.tar.$(3) $$dir && git clean -fdxq $$dir || exit 1; done
# driver captures a population: the folders that it fills are packed then.
driver = cd testdata/gen/driver && $(GO) run . -population

# Bundles hold dumps and profiles of the other programs: those are packed last.
# Fetches nine Go releases and runs the programs of testdata/gen with each: an hour, and only for who changes them.
fixtures: ## capture again testdata/dumps, testdata/pods, testdata/well, testdata/profiles and testdata/bundles
	$(driver) dumps
	$(driver) well
	$(driver) profiles
	cd testdata/gen/bundles && $(GO) run .
	cd testdata/profiles && mkdir -p all && git ls-files -z --others --exclude-standard . | xargs -0 mv -t all
	$(call pack,-frames,dumps/go*/,zst)
	$(call pack,-frames,well/*/,zst)
	$(call pack,-gzip,profiles/all/,xz)
	$(call pack,,bundles/all/,xz)
	cd testdata/gen/loglines && $(GO) run . -out ../../../internal/logpattern/testdata/labelled.tsv

# Builds pinned versions of public modules and lets most of the programs run for minutes: an hour or two. What triage makes
# of all captures is compared with docs/accuracy.md by `make test`.
wild: build ## capture testdata/wild again (published bugs, healthy programs), and write docs/accuracy.md
	$(driver) bugs -triage ../../../bin/triage
	$(driver) look-alikes
	$(call pack,-frames,wild/bugs/*/ ../../wild/healthy/*/,xz)
	$(MAKE) accuracy

# Five minutes: the programs wait side by side.
coded: ## capture testdata/coded again (programs judged with their source), and write docs/accuracy.md
	$(driver) coded
	$(call pack,-frames,coded/*/,xz)
	$(MAKE) accuracy

# Fifteen minutes: the programs wait side by side, those that spin four at a time.
textbook: ## capture testdata/textbook again (faults that every engineer knows), and write docs/accuracy.md
	$(driver) textbook
	$(call pack,-frames,textbook/*/,xz)
	$(MAKE) accuracy

# Ten minutes: the programs wait side by side.
services: ## capture testdata/services again (services that wait for ever), and write docs/accuracy.md
	$(driver) services
	$(driver) reported
	$(driver) everyday
	$(call pack,-frames,services/*/,xz)
	$(MAKE) accuracy

# Forty minutes: two run side by side, and those of the half `full` alone.
busy: ## capture testdata/wild/busy again (busy services), and write docs/accuracy.md
	$(driver) busy
	$(driver) mills
	$(call pack,-frames,wild/busy/*/,xz)
	$(MAKE) accuracy

# Twenty minutes: the programs run side by side.
aged: ## capture testdata/aged again (programs twenty and thirty minutes old)
	$(driver) aged
	$(driver) bugs -age 30m -out ../../aged/lab/bugs
	$(driver) look-alikes -age 30m -out ../../aged/lab/healthy
	$(call pack,-frames,aged/all/ ../../aged/lab/*/*/,xz)

# What the programs of published bugs pin, in both versions: a test looks for the frames of their dumps there.
wild-modules: ## download the modules of the programs in testdata/gen/wild
	for mod in testdata/gen/wild/bugs/*/*.mod; do \
		(cd $$(dirname $$mod) && $(GO) mod download -modfile=$$(basename $$mod)) || exit 1; done

# Downloads Debian packages, builds pinned versions of public modules, and lets each server work for some minutes.
wild-servers: build ## capture the real servers of testdata/wild again, and write docs/accuracy.md
	cd testdata/gen/wild/servers && nice $(GO) run . -out ../../../wild/servers/all -triage ../../../../bin/triage
	$(call pack,-frames,wild/servers/all/,xz)
	$(MAKE) accuracy

# The control plane is built once, which takes ten minutes to half an hour, and kept in the user's cache folder.
cluster-lab: build ## capture testdata/cluster again (a real control plane), and write docs/accuracy.md
	cd testdata/gen/cluster/lab && nice $(GO) run . -out ../../../cluster
	$(call pack,,cluster/*/,zst)
	$(MAKE) accuracy

# Builds the control plane and kubectl into the user's cache folder, once: ten minutes to half an hour.
.PHONY: cluster-binaries cluster-tests
cluster-binaries:
	cd testdata/gen/cluster/lab && nice $(GO) run . -build

cluster-tests: build cluster-binaries ## `kubectl triage` and the Jobs of deploy/fleet at the control plane of the cluster lab
	cd testdata/gen/cluster/lab && TRIAGE=$(CURDIR)/bin/triage $(GO) test . -count 1 -v -timeout 30m

# Builds a log store from the modules in testdata/gen/stores: some minutes. A test pushes logs into it and judges its answers.
victoria-logs: ## bin/victoria-logs
	cd testdata/gen/stores && nice $(GO) build -o ../../../bin/victoria-logs \
		github.com/VictoriaMetrics/VictoriaMetrics/app/victoria-logs

# Builds another from the module in testdata/gen/loki: half an hour.
loki: ## bin/loki
	cd testdata/gen/loki && nice $(GO) build -trimpath -ldflags='-s -w' -o ../../../bin/loki github.com/grafana/loki/v3/cmd/loki

# Builds a server with the handlers and messages of Pyroscope's API: half a minute. Tests of triage store ask it.
profile-store: ## bin/profilestore
	cd testdata/gen/profilestore && nice $(GO) build -o ../../../bin/profilestore .

# The output blocks come last: their triage has the rules that the first line wrote.
docs: ## write rules/declared/builtin-*.json, docs/rules.md, docs/rules.schema.json and the output blocks of README.md and docs anew
	$(GO) test ./rules/declared -run 'IsFresh$$|AreFresh$$' -update
	$(GO) test ./rules/all -run 'DocsAreFresh$$' -update
	$(GO) test ./cmd/triage -run 'TestDocumented' -update

# The script and the style of HTML reports; a test in tools/assets fails where they are older than their sources.
assets: ## write report/page/page.min.js and page.min.css anew
	cd tools && $(GO) run ./assets ..

# Pinned in tools/release/go.mod. The programs take ten minutes to build, once. What is signed and published is not
# here: .github/workflows/release.yml.
.PHONY: release-tools release-pages release-snapshot release-check
release-tools:
	cd tools/release && GOBIN=$(CURDIR)/bin/tools $(GO) install tool

release-pages: build
	cd tools/release && $(GO) run ./pages ../../bin/triage ../../bin/pages

release-snapshot: release-tools ## all that a release consists of, in dist
	GOTOOLCHAIN=$(RELEASE_GO) PATH="$(CURDIR)/bin/tools:$$PATH" goreleaser release --snapshot --clean --skip=sign
	cd tools/release && $(GO) run ./image ../../dist

# The second build shares nothing with the first one: neither its folder nor its cache.
release-check: release-snapshot ## a snapshot is built twice, unpacked, installed, run and inspected (tools/release/check)
	again=$$(mktemp -d) && trap 'rm -rf "$$again"' EXIT && git clone -q . "$$again/copy" && \
		mkdir -p "$$again/copy/bin" && cp -r bin/tools "$$again/copy/bin/" && cd "$$again/copy" && \
		GOCACHE="$$again/cache" GOTOOLCHAIN=$(RELEASE_GO) PATH="$$PWD/bin/tools:$$PATH" goreleaser release --snapshot --skip=sign && \
		(cd tools/release && $(GO) run ./image ../../dist) && \
		cd "$(CURDIR)/tools/release" && TRIAGE_DIST=$(CURDIR)/dist TRIAGE_DIST_AGAIN="$$again/copy/dist" \
		$(GO) test ./... github.com/ulikunitz/xz/... -count 1 -v

# The pictures are looked at and not compared: fonts differ between machines. Needs Chromium.
screenshots: ## write docs/page-*.png anew
	cd tools && TRIAGE_SCREENSHOTS=$(CURDIR)/docs $(GO) test ./browser -count 1 -run Screenshots

# Stale docs fail the tests that `make docs` updates with, so they have no step of their own. What a newcomer calls, `make
# test`, runs as it stands besides its run under the race detector.
check: lint circles test slow race bench-vet tools-vet ## all that a change must pass

nightly: ## the long ones: fuzzing for 90 s a target, 10 min where it is new or changed, with coverage and without, all tests that take seconds under the race detector, the labs of bench, 1 GB of log, all captures on 1, 2 and 8 processors, big hostile inputs, frames in the modules that were built, a real log store, the API of a real profile store, a real cluster, a release, two builds of the same bytes, known vulnerabilities, all texts of strangers
	tools/fuzz.sh 90s 10m '$(SINCE)'
	BLIND=1 tools/fuzz.sh 90s
	$(MAKE) vet-others
	CGO_ENABLED=1 $(GO) test -race -short -timeout 60m ./...
	cd bench && $(GO) test ./...
	CHECK=1 bench/whole.sh
	TRIAGE_ALL=1 $(GO) test ./triage -run CapturesGiveTheSame -timeout 60m
	TRIAGE_ALL=1 $(GO) test ./cmd/triage -run RedactedCopyHas -timeout 60m
	TRIAGE_HOSTILE_BIG=1 $(GO) test ./cmd/triage -run BigHostile -v -timeout 60m
	$(MAKE) wild-modules
	$(GO) test ./internal/accuracy -run FramesOfPublishedBugs -args -modules
	$(MAKE) profile-store
	cd testdata/gen/profilestore && $(GO) test .
	TRIAGE_PROFILE_STORE=$(CURDIR)/bin/profilestore $(GO) test ./cmd/triage -run RealHandlers
	$(MAKE) victoria-logs loki
	TRIAGE_VICTORIA_LOGS=$(CURDIR)/bin/victoria-logs TRIAGE_LOKI=$(CURDIR)/bin/loki \
		$(GO) test ./triage ./cmd/triage -run 'VictoriaLogs|RealStore' -timeout 60m
	$(MAKE) cluster-tests
	cd testdata/gen/collector && $(GO) test ./...
	cd tools && $(GO) test ./...
	$(MAKE) release-check
	tools/reproducible.sh
	$(MAKE) vulnerabilities

clean: ## what was built here; Go's caches stay
	rm -rf bin dist

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
