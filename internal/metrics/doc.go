// Package metrics reads what a Go process serves at /metrics: Prometheus' text format and OpenMetrics 1.0, line by
// line, in bounded memory. It keeps the samples that say something of a process or of its controllers, by name, and
// counts the others.
//
// Where the names come from: go_* and process_* from client_golang (prometheus/collectors), workqueue_* from
// k8s.io/component-base/metrics/prometheus/workqueue, rest_client_* from its restclient and from controller-runtime's
// pkg/metrics, controller_runtime_* from controller-runtime's internal/controller/metrics.
package metrics
