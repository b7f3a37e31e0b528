package declared

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/match"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

// Env is what a `when:` condition sees of a bucket and its dump.
type Env struct {
	Count   int        `expr:"count"` // goroutines of the bucket
	Share   float64    `expr:"share"` // of all goroutines of the dump, 0 to 1
	Minutes EnvMinutes `expr:"minutes"`
	State   string     `expr:"state"` // of its first goroutine
	Class   string     `expr:"class"`
	// Top is the first shown function, Culprit the one to blame, Root the outermost, Creator the one with the go
	// statement ("" for main): names as the runtime prints them.
	Top      string `expr:"top"`
	Culprit  string `expr:"culprit"`
	Root     string `expr:"root"`
	Creator  string `expr:"creator"`
	Role     string `expr:"role"` // "" where it has none
	Idle     bool   `expr:"idle"` // its role may wait for ever
	Own      bool   `expr:"own"`  // code of the program's own module is on the stack
	Main     bool   `expr:"main"` // it is the main goroutine
	Leaked   bool   `expr:"leaked"`
	Locked   bool   `expr:"locked"`
	Depth    int    `expr:"depth"`    // shown frames
	Runnable int    `expr:"runnable"` // goroutines of the bucket that run or could
	// Goroutines, Go and Cause are of the dump: how many it has, the release that wrote it, why it was printed.
	Goroutines int    `expr:"goroutines"`
	Go         string `expr:"go"`
	Cause      string `expr:"cause"`
}

// EnvMinutes is the span of waiting times that a bucket's headers show, 0 where they show none.
type EnvMinutes struct {
	Min int `expr:"min"`
	Max int `expr:"max"`
}

// seeGoroutines finds buckets, those of one culprit and creator of a dump as one finding.
func seeGoroutines(c *declared, p *rules.Pass, found func(sight)) {
	x := match.NewIndex(c.m, frame.Program{})
	var v match.View
	for n, d := range p.Dumps {
		if d.Goroutines == 0 {
			continue
		}
		x = x.For(d.Program)
		for i, b := range d.Buckets {
			if !c.matches(x, &v, d, b) {
				continue
			}
			env := envOf(d, i)
			if c.blames {
				bl := rules.BlameBucket(d, b)
				env.Culprit = bl.Culprit.Function
				env.Own = slices.ContainsFunc(bl.Path, func(f rules.PathFrame) bool {
					return f.Class == frame.ClassOwn.String()
				})
			}
			if !c.when.holds(&env) {
				continue
			}
			bl := rules.BlameBucket(d, b)
			found(sight{
				group: strconv.Itoa(n) + rules.Fingerprint(c.def.ID, bl.Culprit, bl.Creator),
				count: b.Count, minutes: int(b.MaxMinutes), target: d.Target, env: &env, words: wordsOf(&env, &bl),
				finding:  rules.Finding{Culprit: bl.Culprit, Path: bl.Path, Creator: bl.Creator},
				evidence: func() rules.Evidence { return rules.EvidenceOf(d, b, "") },
			})
		}
	}
}

// wordsOf are the placeholders that a bucket fills in.
func wordsOf(env *Env, bl *rules.Blame) []string {
	creator := "main"
	if bl.Creator != "" {
		creator = symbol.ShortFunc(bl.Creator)
	}
	return []string{
		"{culprit}", symbol.ShortFunc(bl.Culprit.Function), "{function}", bl.Culprit.Function,
		"{file}", symbol.ShortFile(bl.Culprit.File), "{line}", strconv.Itoa(bl.Culprit.Line), "{creator}", creator,
		"{state}", cmp.Or(env.State, env.Class),
	}
}

func (c *declared) matches(x *match.Index, v *match.View, d *rules.DumpInput, b *stackparse.Bucket) bool {
	if len(c.progs) == 0 {
		return true
	}
	looked := false
	for _, p := range c.progs {
		// What costs nothing is asked first, so that most buckets are passed over without a look at their frames.
		if !p.Likely(b) {
			continue
		}
		if !looked {
			v.Look(x, d.Dump, b)
			looked = true
		}
		if p.Holds(v) {
			return true
		}
	}
	return false
}

// envOf is what a condition sees of a bucket, but for Culprit and Own, which cost more than the rest.
func envOf(d *rules.DumpInput, bucket int) Env {
	b := d.Buckets[bucket]
	env := Env{
		Count: b.Count, Minutes: EnvMinutes{int(b.MinMinutes), int(b.MaxMinutes)}, Class: string(b.Class),
		Leaked: b.Leaked, Depth: len(b.Shown),
		Goroutines: d.Goroutines, Go: d.Go,
	}
	if d.Goroutines > 0 {
		env.Share = float64(b.Count) / float64(d.Goroutines)
	}
	if d.Cause != nil {
		env.Cause = string(d.Cause.Kind)
	}
	if len(b.Shown) > 0 {
		env.Top = b.Frames[b.Shown[0]].Func
		env.Root = b.Frames[b.Shown[len(b.Shown)-1]].Func
	}
	if b.CreatedBy != nil {
		env.Creator = b.CreatedBy.Func
	}
	env.Main = isMain(b)
	if len(b.Goroutines) > 0 {
		env.State = d.StateOf(&b.Goroutines[0])
	}
	for i := range b.Goroutines {
		g := &b.Goroutines[i]
		env.Locked = env.Locked || g.Flags&stackparse.FlagLocked != 0
		if stackparse.Runnable(d.StateOf(g)) {
			env.Runnable++
		}
	}
	if role := d.RoleOf(bucket); role != nil {
		env.Role, env.Idle = role.Name, role.Idle
	}
	return env
}

// isMain reports the goroutine that runs main: nobody created it, and its outermost shown frame is package main's or
// an initialiser's.
func isMain(b *stackparse.Bucket) bool {
	if b.CreatedBy != nil || len(b.Shown) == 0 {
		return false
	}
	root := b.Frames[b.Shown[len(b.Shown)-1]].Func
	return root == "main.main" || root == "runtime.main" || strings.Contains(root, ".init")
}
