package match

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

// A RoleDef is a Role with the stacks that play it. One of its Match conditions must hold. Goroutines that are stuck
// behind a lock or on a nil channel play no role unless a condition names their class: a pile-up inside a well-known
// function is no idle worker.
type RoleDef struct {
	Name string `yaml:"name"`
	Doc  string `yaml:"doc"`
	Idle bool   `yaml:"idle"`
	// Ceiling is how many goroutines of one process the role explains; 0 is defaultCeiling.
	Ceiling int `yaml:"ceiling"`
	// Usual is how many of it, started by one function, a process usually has; 0 is defaultUsual.
	Usual int     `yaml:"usual"`
	Place bool    `yaml:"place"` // reports add where its goroutine waits
	Match []Match `yaml:"match"`
}

// The numbers of roles that give none; roles.yaml describes what they were measured on.
const (
	defaultCeiling = 1000
	defaultUsual   = 100
)

// A RoleSet is a list of roles: the first that fits a stack is its role, so that specific roles come before general
// ones.
type RoleSet struct {
	defs     func() []RoleDef
	compiled func() (*roleProgs, error)
}

// LazyRoleSet is NewRoleSet for defs without faults, which are read and compiled when a dump asks for them.
func LazyRoleSet(defs func() []RoleDef) *RoleSet {
	return &RoleSet{defs: defs, compiled: sync.OnceValues(func() (*roleProgs, error) { return compileRoles(defs()) })}
}

// NewRoleSet makes defs ready. An error names the role and the field.
func NewRoleSet(defs []RoleDef) (*RoleSet, error) {
	s := LazyRoleSet(func() []RoleDef { return defs })
	if _, err := s.compiled(); err != nil {
		return nil, err
	}
	return s, nil
}

// roleProgs are the conditions of a RoleSet.
type roleProgs struct {
	roles []*rules.Role
	m     *Patterns
	progs [][]*MatchProg // aligned with the defs
	// byPattern lists, for each pattern, the roles that can't hold without it or one of its alternatives.
	byPattern [][]int32
}

// compileRoles makes defs ready; there are no roles where one of them has a fault.
func compileRoles(defs []RoleDef) (*roleProgs, error) {
	s := &roleProgs{m: NewPatterns()}
	for i := range defs {
		progs, err := s.m.CompileRole(&defs[i])
		if err != nil {
			return &roleProgs{m: NewPatterns()}, fmt.Errorf("role %q: %w", defs[i].Name, err)
		}
		s.progs = append(s.progs, progs)
		s.roles = append(s.roles, &rules.Role{Name: defs[i].Name, Doc: defs[i].Doc, Idle: defs[i].Idle,
			Ceiling: max(cmp.Or(defs[i].Ceiling, defaultCeiling), defs[i].Usual),
			Usual:   cmp.Or(defs[i].Usual, defaultUsual),
			Place:   defs[i].Place})
	}
	s.byPattern = make([][]int32, s.m.Len())
	for i, progs := range s.progs {
		for _, p := range progs {
			for _, id := range p.Anchors() {
				s.byPattern[id] = append(s.byPattern[id], int32(i))
			}
		}
	}
	return s, nil
}

// CompileRole is Compile for the conditions of a role; an error names the field.
func (m *Patterns) CompileRole(def *RoleDef) ([]*MatchProg, error) {
	if len(def.Match) == 0 {
		return nil, Fault("match", "a role needs a condition")
	}
	var progs []*MatchProg
	for j := range def.Match {
		field := fmt.Sprintf("match[%d]", j)
		p, err := m.Compile(&def.Match[j])
		if err != nil {
			return nil, InField(field, err)
		}
		if p.Anchors() == nil {
			return nil, Fault(field, "a role needs a function that is on the stack: at, top, "+
				"frames, root or creator; a state alone says nothing")
		}
		progs = append(progs, p)
	}
	return progs, nil
}

// Defs returns what s was made of.
func (s *RoleSet) Defs() []RoleDef { return s.defs() }

// Roles returns the roles of s, in order.
func (s *RoleSet) Roles() []*rules.Role {
	p, _ := s.compiled()
	return slices.Clone(p.roles)
}

// An Assigner gives roles to the dumps of one program. Patterns are tried once for each distinct function of all of
// them. It is not for use by several goroutines at a time.
type Assigner struct {
	s *roleProgs
	x *Index
}

// NewAssigner returns an Assigner of s's roles; a nil s has none.
func NewAssigner(program frame.Program, s *RoleSet) *Assigner {
	if s == nil {
		return &Assigner{}
	}
	p, _ := s.compiled()
	return &Assigner{s: p, x: NewIndex(p.m, program)}
}

// Assign returns the role of each bucket of d, nil where it has none; the result is aligned with d.Buckets. A role
// explains what goroutines do, not that there are more of them than a process has use for: above its ceiling the
// largest buckets have no role. Its cost grows with the frames of distinct stacks.
func (a *Assigner) Assign(d *stackparse.Dump) []*rules.Role {
	assigned := make([]*rules.Role, len(d.Buckets))
	s, x := a.s, a.x
	if s == nil {
		return assigned
	}
	v := View{lenient: d.Counted()}
	var candidates []int32
	for i, b := range d.Buckets {
		v.Look(x, d, b)
		candidates = v.Anchored(candidates[:0], s.byPattern)
		for _, c := range candidates {
			if slices.ContainsFunc(s.progs[c], func(p *MatchProg) bool { return plays(p, &v) }) {
				assigned[i] = s.roles[c]
				break
			}
		}
	}
	underCeilings(assigned, d.Buckets)
	return assigned
}

// underCeilings takes roles that have too many goroutines from their largest buckets. Buckets come the largest first.
func underCeilings(assigned []*rules.Role, buckets []*stackparse.Bucket) {
	total := map[*rules.Role]int{}
	for i, b := range buckets {
		if assigned[i] != nil {
			total[assigned[i]] += b.Count
		}
	}
	for i, b := range buckets {
		if r := assigned[i]; r != nil && total[r] > r.Ceiling {
			total[r] -= b.Count
			assigned[i] = nil
		}
	}
}

func plays(p *MatchProg, v *View) bool {
	if len(p.src.Class) == 0 {
		switch v.b.Class {
		case stackparse.ClassMutex, stackparse.ClassRWMutexR, stackparse.ClassRWMutexW, stackparse.ClassNilChan,
			stackparse.ClassNoCases:
			return false
		}
	}
	return p.Holds(v) && !p.calledBack(v)
}

// calledBack reports, of a loop that a library started, whether the program is between two calls of what At names: the
// loop has called it back, and it has asked the library. It waits for an answer then, not for work, and perhaps for one
// that the loop would give. A role without a creator is that of goroutines the program waits in, such as a handler
// that reads the next message of its stream.
func (p *MatchProg) calledBack(v *View) bool {
	if len(p.creator) == 0 {
		return false
	}
	asked, others := false, false
	for _, f := range v.frames {
		switch at := Overlap(f.IDs, p.at); {
		case at && others:
			return true
		case at:
			asked = true
		case asked && !f.std && !Overlap(f.IDs, p.through):
			others = true
		}
	}
	return false
}
