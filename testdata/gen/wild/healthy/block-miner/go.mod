module wild/block-miner

go 1.20

require wild/kit v0.0.0

replace wild/kit => ../../kit
