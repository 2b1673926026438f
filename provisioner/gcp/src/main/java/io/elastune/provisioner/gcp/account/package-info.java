/**
 * The project that instances are rented in: its settings, Google's names for what we call by ours,
 * and the calls that are used, in our own words.
 */
@NullMarked
package io.elastune.provisioner.gcp.account;

import org.jspecify.annotations.NullMarked;
