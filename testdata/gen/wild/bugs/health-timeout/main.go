// Command health-timeout tells whether it is ready; its database answers slowly.
//
// https://github.com/hellofresh/health-go/issues/224
package main

import (
	"context"
	"log"
	"net/http"
	"time"

	"github.com/hellofresh/health-go/v5"

	"wild/kit"
)

func main() {
	kit.Serve()
	checks, err := health.New(health.WithChecks(health.Config{
		Name: "database", Timeout: 50 * time.Millisecond, Check: ping,
	}))
	if err != nil {
		log.Fatal(err)
	}
	http.Handle("/ready", checks.Handler())
	for range time.Tick(300 * time.Millisecond) {
		ready(checks)
	}
}

// ready asks all checks.
func ready(checks *health.Health) bool {
	return checks.Measure(context.Background()).Status == health.StatusOK
}

// ping asks the database.
func ping(context.Context) error {
	time.Sleep(100 * time.Millisecond)
	return nil
}
