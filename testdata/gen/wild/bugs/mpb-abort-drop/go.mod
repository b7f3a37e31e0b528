module wild/mpb-abort-drop

go 1.26

require (
	github.com/vbauerster/mpb/v7 v7.1.3
	wild/kit v0.0.0
)

require (
	github.com/VividCortex/ewma v1.2.0 // indirect
	github.com/acarl005/stripansi v0.0.0-20180116102854-5a71ef0e047d // indirect
	github.com/mattn/go-runewidth v0.0.13 // indirect
	github.com/rivo/uniseg v0.2.0 // indirect
	golang.org/x/sys v0.0.0-20210809222454-d867a43fc93e // indirect
)

replace wild/kit => ../../kit
