module wild/frame-loop

go 1.20

require wild/kit v0.0.0

replace wild/kit => ../../kit
