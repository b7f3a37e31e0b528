package main

import "context"

func (l *lab) captureServers(ctx context.Context) error { return nil }
