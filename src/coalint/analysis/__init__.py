"""From IR to accesses, barriers and races: values, lanes, uniformity.

Imports core and the machine model; knows neither rules nor front ends.
"""
