//go:build fixed

package main

import "k8s.io/client-go/tools/record"

// release is called with a broadcaster that is not needed any more; its watcher is stopped already.
func release(broadcaster record.EventBroadcaster) { broadcaster.Shutdown() }
