/**
 * The vocabulary of Elastune as immutable records, and the rules that every other room must share.
 * Pure: no clock, no thread, no file, no network.
 */
@NullMarked
package io.elastune.core;

import org.jspecify.annotations.NullMarked;
