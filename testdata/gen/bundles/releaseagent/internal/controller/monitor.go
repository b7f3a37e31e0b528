// Package controller is an agent's control loop with the fault that the bundles' story is about: a field that the API server never stores
// is part of the status that is compared.
package controller

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"time"
)

// A Release is the custom resource.
type Release struct {
	Name   string
	Status Status
}

// Status is what the agent writes. What lies behind checkedAt's tag is lost on the way to the API server and back.
type Status struct {
	Conditions []Condition         `json:"conditions"`
	Resources  map[string]Resource `json:"resources"`
	CheckedAt  time.Time           `json:"-"`
}

// A Condition is one of the status's.
type Condition struct {
	Type           string `json:"type"`
	Status         string `json:"status"`
	LastUpdateTime string `json:"lastUpdateTime"`
}

// A Resource is one that the release consists of.
type Resource struct {
	Kind, Namespace, Name, Revision string
	Ready                           bool
	Labels                          map[string]string
}

// An API keeps releases as an informer's cache shows them: all that has a name in JSON.
type API struct{ stored map[string]*Release }

// NewAPI is an empty one.
func NewAPI() *API { return &API{stored: map[string]*Release{}} }

// UpdateStatus sends the changed conditions, and the watch brings the release back without what JSON leaves out.
func (a *API) UpdateStatus(r *Release) error {
	body, err := json.Marshal(r.Status.Conditions)
	if err != nil {
		return err
	}
	back := &Release{Name: r.Name, Status: Status{Resources: r.Status.Resources}}
	a.stored[r.Name] = back
	return json.Unmarshal(body, &back.Status.Conditions)
}

// Get reads from the cache.
func (a *API) Get(name string) *Release {
	if r := a.stored[name]; r != nil {
		return r
	}
	return &Release{Name: name}
}

// A Monitor watches what a release deployed.
type Monitor struct {
	API     *API
	Updates int
	known   map[string]Resource
	names   []string
}

// NewMonitor watches a release of size resources.
func NewMonitor(api *API, size int) *Monitor {
	m := &Monitor{API: api, known: map[string]Resource{}}
	for i := range size {
		name := fmt.Sprintf("observability/resource-%d", i)
		labels := map[string]string{}
		for j := range 12 {
			labels[fmt.Sprint("app.example.net/label-", j)] = fmt.Sprint("value-", i, j)
		}
		m.known[name] = Resource{Kind: "ConfigMap", Namespace: "observability", Name: name, Revision: fmt.Sprint(i), Ready: true, Labels: labels}
		m.names = append(m.names, name)
	}
	return m
}

// Run reconciles until the context ends: each of its own updates wakes it up.
func (m *Monitor) Run(ctx context.Context, name string) error {
	for ctx.Err() == nil {
		if err := m.Reconcile(name); err != nil {
			return fmt.Errorf("release %s: %w", name, err)
		}
	}
	return nil
}

// Reconcile writes the status where it differs from the stored one: always.
func (m *Monitor) Reconcile(name string) error {
	stored := m.API.Get(name)
	now := m.observe()
	if m.statusChanged(&stored.Status, now) {
		now.Conditions[1].LastUpdateTime = now.CheckedAt.Format(time.RFC3339)
		m.Updates++
		return m.API.UpdateStatus(&Release{Name: name, Status: *now})
	}
	return nil
}

// statusChanged compares all fields of all resources first, and CheckedAt, which differs each time, last.
func (m *Monitor) statusChanged(stored, now *Status) bool {
	now.Conditions = append([]Condition(nil), stored.Conditions...)
	if len(now.Conditions) < 2 {
		now.Conditions = []Condition{{Type: "Deployed", Status: "True"}, {Type: "Monitored", Status: "True"}}
	}
	return !reflect.DeepEqual(stored, now)
}

func (m *Monitor) observe() *Status {
	s := &Status{CheckedAt: time.Now(), Resources: make(map[string]Resource, len(m.names))}
	for _, id := range m.names {
		r := m.known[id]
		r.Labels = maps.Clone(r.Labels)
		s.Resources[id] = r
	}
	return s
}
