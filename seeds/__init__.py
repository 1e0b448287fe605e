"""The rule books, restated rule by rule in our own words under their printed headings; data only."""
