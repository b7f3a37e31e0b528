module wild/catalog-pull

go 1.23

require wild/kit v0.0.0

replace wild/kit => ../../kit
