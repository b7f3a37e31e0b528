package main

import (
	"context"
	"encoding/json"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

// A lease is a resource lock in memory that nobody else wants.
type lease struct {
	identity string

	mu     sync.Mutex
	record *resourcelock.LeaderElectionRecord
}

func (l *lease) Get(context.Context) (*resourcelock.LeaderElectionRecord, []byte, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.record == nil {
		return nil, nil, apierrors.NewNotFound(schema.GroupResource{Group: "coordination.k8s.io", Resource: "leases"}, "harbor-controller")
	}
	text, err := json.Marshal(l.record)
	return l.record, text, err
}

func (l *lease) Create(ctx context.Context, record resourcelock.LeaderElectionRecord) error {
	return l.Update(ctx, record)
}

func (l *lease) Update(_ context.Context, record resourcelock.LeaderElectionRecord) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.record = &record
	return nil
}

func (l *lease) RecordEvent(string) {}

func (l *lease) Identity() string { return l.identity }

func (l *lease) Describe() string { return "harbor-system/harbor-controller" }
