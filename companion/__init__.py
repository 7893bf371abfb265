"""The companion: rules, session and command line around one table."""
