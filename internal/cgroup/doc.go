// Package cgroup reads files of control groups, versions 1 and 2, and of pressure stall information: how much of a CPU
// a container may use and how often the kernel made it wait, how much memory it has and how often it ran out.
//
// Where the formats come from: the kernel's Documentation/admin-guide/cgroup-v2.rst, scheduler/sched-bwc.rst (cpu.stat,
// cpu.max), cgroup-v1/memory.rst, accounting/psi.rst. The names of a pod's groups: the kubelet's pkg/kubelet/cm, for
// both drivers (kubepods/burstable/podUID/ID, kubepods-burstable-podUID.slice/cri-containerd-ID.scope).
package cgroup
