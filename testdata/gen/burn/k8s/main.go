// Command k8s is burn's sister: operators and services over the libraries that Kubernetes programs are made of.
//
//	k8s KIND --seconds S --out FILE
//	k8s list
package main

import (
	"os"

	"example.com/fixtures/burn/k8s/internal/api"
	"example.com/fixtures/burn/k8s/internal/encode"
	"example.com/fixtures/burn/k8s/internal/logging"
	"example.com/fixtures/burn/k8s/internal/objects"
	"example.com/fixtures/burn/k8s/internal/tenant"
	"example.com/fixtures/burn/run"
)

func main() {
	var kinds []run.Kind
	for _, part := range [][]run.Kind{api.Kinds(), encode.Kinds(), logging.Kinds(), objects.Kinds(), tenant.Kinds()} {
		kinds = append(kinds, part...)
	}
	os.Exit(run.Main(os.Args[1:], kinds, api.Peers()))
}
