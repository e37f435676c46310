"""Dans la cour d'école: rules C1 to C22."""
