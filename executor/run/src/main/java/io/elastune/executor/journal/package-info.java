/**
 * The journal of a run: an embedded SQL database in the run's folder. Intent before effect, one
 * durable transaction per step; the tables can be read with any SQLite tool.
 */
@NullMarked
package io.elastune.executor.journal;

import org.jspecify.annotations.NullMarked;
