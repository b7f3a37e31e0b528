package kube

import (
	"cmp"
	"slices"
	"strings"
)

// maxProbeWords bounds the words of a probe's command.
const maxProbeWords = 16

// network makes the record of what leads requests to pods, and of kinds without a type of their own.
func (r *Reader) network(n int32, m Meta) described {
	t := &r.tree
	switch g := group(m.API); {
	case m.Kind == "Service" && g == "":
		return r.service(n, m)
	case m.Kind == "Ingress" && g == "networking.k8s.io":
		return r.ingress(n, m)
	case m.Kind == "EndpointSlice" && g == "discovery.k8s.io":
		s := &EndpointSlice{Meta: m, Service: r.identAt(n, "metadata", "labels", "kubernetes.io/service-name")}
		t.each(t.get(n, "endpoints"), maxPairs, func(e int32) {
			s.Endpoints++
			if ready := t.at(e, "conditions", "ready"); ready == 0 || t.isTrue(ready) { // unknown counts as ready
				s.Ready++
			}
		})
		return s
	case m.Kind == "CertificateSigningRequest":
		return &Other{Meta: m, User: r.identAt(n, "spec", "username")}
	}
	o := &Other{Meta: m}
	if strings.HasSuffix(m.Kind, "WebhookConfiguration") {
		t.each(t.get(n, "webhooks"), maxPairs, func(e int32) { o.Webhooks = append(o.Webhooks, r.identAt(e, "name")) })
	}
	return o
}

// service reads a Service.
func (r *Reader) service(n int32, m Meta) *Service {
	t := &r.tree
	spec := t.get(n, "spec")
	s := &Service{Meta: m, Selector: r.pairs(t.get(spec, "selector")), Type: r.identAt(spec, "type"),
		Alias: r.identAt(spec, "externalName"), Headless: r.identAt(spec, "clusterIP") == "None"}
	t.each(t.at(n, "status", "loadBalancer", "ingress"), 1, func(int32) { s.Addressed = true })
	t.each(t.get(spec, "ports"), maxPairs, func(e int32) {
		p := ServicePort{r.identAt(e, "name"), r.identAt(e, "port"), r.identAt(e, "targetPort")}
		p.Target = cmp.Or(p.Target, p.Port)
		s.Ports = append(s.Ports, p)
	})
	return s
}

// ports reads the ports that a container declares.
func (r *Reader) ports(container int32) []Pair {
	var all []Pair
	r.tree.each(r.tree.get(container, "ports"), maxPairs, func(e int32) {
		all = append(all, Pair{r.identAt(e, "name"), r.identAt(e, "containerPort")})
	})
	return all
}

// probe describes what a probe asks for, "" for none.
func (r *Reader) probe(n int32) string {
	t := &r.tree
	for _, kind := range []string{"httpGet", "tcpSocket", "grpc"} {
		if p := t.get(n, kind); p != 0 {
			return strings.Join(strings.Fields(kind+" "+r.identAt(p, "path")+" at port "+r.identAt(p, "port")), " ")
		}
	}
	if p := t.at(n, "exec", "command"); p != 0 {
		words := []string{"exec"}
		t.each(p, maxProbeWords, func(e int32) { words = append(words, r.identAt(e)) })
		return strings.Join(words, " ")
	}
	return ""
}

// ingress reads an Ingress (networking.k8s.io/v1).
func (r *Reader) ingress(n int32, m Meta) *Ingress {
	t, in := &r.tree, &Ingress{Meta: m}
	spec := t.get(n, "spec")
	add := func(backend int32) {
		name := r.identAt(backend, "service", "name")
		port := cmp.Or(r.identAt(backend, "service", "port", "name"), r.identAt(backend, "service", "port", "number"))
		if b := (Backend{name, port}); name != "" && len(in.Backends) < maxPairs && !slices.Contains(in.Backends, b) {
			in.Backends = append(in.Backends, b)
		}
		if name != "" && len(in.Services) < maxPairs && !slices.Contains(in.Services, name) {
			in.Services = append(in.Services, name)
		}
	}
	add(t.get(spec, "defaultBackend"))
	t.each(t.get(spec, "rules"), maxPairs, func(rule int32) {
		t.each(t.at(rule, "http", "paths"), maxPairs, func(p int32) { add(t.get(p, "backend")) })
	})
	return in
}
