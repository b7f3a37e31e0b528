package main

import (
	"context"
	"encoding/json"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

// A lease is a resource lock in memory. Where somebody else holds it, that one renews it at each look.
type lease struct {
	identity, holder string
}

func (l *lease) Get(context.Context) (*resourcelock.LeaderElectionRecord, []byte, error) {
	now := metav1.NewTime(time.Now())
	record := &resourcelock.LeaderElectionRecord{HolderIdentity: l.holder, LeaseDurationSeconds: 15, AcquireTime: now, RenewTime: now}
	text, err := json.Marshal(record)
	return record, text, err
}

func (l *lease) Create(context.Context, resourcelock.LeaderElectionRecord) error { return nil }

func (l *lease) Update(context.Context, resourcelock.LeaderElectionRecord) error { return nil }

func (l *lease) RecordEvent(string) {}

func (l *lease) Identity() string { return l.identity }

func (l *lease) Describe() string { return "harbor-system/harbor-registry" }
