/**
 * The domain model of Elastune as immutable records, and the rules that all modules share. Pure
 * code: no clock, threads, files or network.
 */
@NullMarked
package io.elastune.core;

import org.jspecify.annotations.NullMarked;
