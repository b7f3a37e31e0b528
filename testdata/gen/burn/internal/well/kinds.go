// Package well works hard, or hardly, with nothing wrong.
package well

import (
	"example.com/fixtures/burn/run"
)

// Kinds are the programs of this package.
func Kinds() []run.Kind {
	return []run.Kind{
		well("well-idle", "a server that nobody calls", true, startIdle),
		well("well-proxy", "a proxy that copies bytes", false, startProxy),
		well("well-api", "a JSON API at work, flat", false, startAPI),
		well("well-mixed", "a mix of everything, nothing of it much", false, startMix),
		well("well-batch", "a batch of arithmetic", false, startBatch),
		well("well-tls", "TLS connections that are kept", false, startTLS),
		{
			Name: "labels", Profile: "cpu", Topic: "most of the CPU under one label: queue=exports", Guilty: `\(\*Exporter\)\.export$`,
			Culprit: run.Own("well", "(*Exporter).export"), Category: "hot-cpu", Start: startLabels,
		},
	}
}

func well(name, topic string, idle bool, start func(*run.Service) error) run.Kind {
	return run.Kind{Name: name, Profile: "cpu", Topic: topic, Category: "none", Idle: idle, Start: start}
}
