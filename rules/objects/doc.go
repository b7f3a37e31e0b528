// Package objects holds the rules about Kubernetes objects (TR73x, TR74x): pods that fail, hang or never start, nodes
// in trouble, and objects whose versions differ in a time only. They read Pass.Cluster.
package objects
