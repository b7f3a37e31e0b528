//go:build !fixed

package main

import "github.com/karlseguin/ccache"

func end(*ccache.Cache) {}
