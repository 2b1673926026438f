package io.elastune.executor.decision.forecast;

/**
 * The rest of a run whose chains are played together.
 *
 * @param seconds until its last task ends
 * @param usd cost of its instances until then
 */
record RestForecast(double seconds, double usd) {}
